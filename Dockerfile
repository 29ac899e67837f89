FROM python:3.13-slim

WORKDIR /mogelwerk
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt

COPY pyproject.toml .
COPY domain domain
COPY projections projections
COPY service service
COPY migrations migrations
RUN pip install --no-cache-dir --no-deps --no-build-isolation . && useradd --system mogelwerk

USER mogelwerk
ENV MOGELWERK_HOST=0.0.0.0 MOGELWERK_METRICS_HOST=0.0.0.0
EXPOSE 8000 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health/ready', timeout=3)"]
CMD ["mogelwerk", "serve"]
