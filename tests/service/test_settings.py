from ipaddress import ip_network
from pathlib import Path

import pytest

from service.settings import BadSetting, Limits, Rate, Settings, from_env


def test_nothing_configured_is_a_server_for_this_machine_alone() -> None:
    settings = from_env({})

    assert settings == Settings()
    assert settings.host == settings.metrics_host == "127.0.0.1"
    assert settings.database_url == settings.redis_url == ""
    assert settings.max_body == 65536


def test_an_empty_variable_is_not_set() -> None:
    assert from_env({"MOGELWERK_PORT": "", "DATABASE_URL": " "}) == Settings()


def test_everything_can_be_said() -> None:
    settings = from_env(
        {
            "DATABASE_URL": "postgres://anna:secret@db/mogelwerk",
            "REDIS_URL": "valkey://cache:6379/1",
            "MOGELWERK_HOST": "0.0.0.0",  # noqa: S104 - only a text here
            "MOGELWERK_PORT": "80",
            "MOGELWERK_WORKERS": "4",
            "MOGELWERK_DATA": "/srv/mogelwerk",
            "MOGELWERK_KEYS": "/run/secrets/mogelwerk",
            "MOGELWERK_METRICS_HOST": "10.0.0.1",
            "MOGELWERK_METRICS_PORT": "0",
            "MOGELWERK_PUBLIC_URL": "https://mogelwerk.example/",
            "MOGELWERK_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
            "MOGELWERK_CORS_ORIGINS": "https://play.example, http://localhost:3000",
            "MOGELWERK_SANDBOX": "off",
            "MOGELWERK_MAX_BODY": "2048",
            "MOGELWERK_STREAMS": "7",
            "MOGELWERK_LOG_LEVEL": "Warning",
            "MOGELWERK_LOG_JSON": "yes",
            "MOGELWERK_LIMIT_CODES": "6/min:3",
        }
    )

    assert settings == Settings(
        database_url="postgresql://anna:secret@db/mogelwerk",
        redis_url="redis://cache:6379/1",
        host="0.0.0.0",  # noqa: S104 - only a text here
        port=80,
        workers=4,
        data=Path("/srv/mogelwerk"),
        keys=Path("/run/secrets/mogelwerk"),
        metrics_host="10.0.0.1",
        metrics_port=0,
        public_url="https://mogelwerk.example",
        trusted_proxies=(ip_network("10.0.0.0/8"), ip_network("::1")),
        cors_origins=("https://play.example", "http://localhost:3000"),
        sandbox=False,
        max_body=2048,
        streams=7,
        log_level="warning",
        log_json=True,
        limits=Limits(codes=Rate(0.1, 3)),
    )


@pytest.mark.parametrize(
    "name,text,hint",
    [
        ("MOGELWERK_PORT", "eighty", "a whole number from 0 to 65535"),
        ("MOGELWERK_PORT", "65536", "a whole number from 0 to 65535"),
        ("MOGELWERK_PORT", "-1", "a whole number from 0 to 65535"),
        ("MOGELWERK_WORKERS", "0", "a whole number from 1"),
        ("MOGELWERK_SANDBOX", "maybe", "true or false"),
        ("MOGELWERK_LOG_LEVEL", "loud", "debug, info, warning or error"),
        ("MOGELWERK_LIMIT_TOKEN", "20", "a rate like 20/s"),
        ("MOGELWERK_LIMIT_TOKEN", "0/s", "a rate like 20/s"),
        ("MOGELWERK_TRUSTED_PROXIES", "10.0.0.1/8", "addresses or networks"),
        ("MOGELWERK_CORS_ORIGINS", "play.example", "origins like"),
        ("MOGELWERK_CORS_ORIGINS", "https://play.example/", "no path"),
        ("MOGELWERK_PUBLIC_URL", "mogelwerk.example", "a URL like"),
        ("DATABASE_URL", "mysql://db/mogelwerk", "a URL like postgresql://"),
        ("REDIS_URL", "cache:6379", "a URL like redis://"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(name: str, text: str, hint: str) -> None:
    with pytest.raises(BadSetting, match=rf"^{name} .*{hint}"):
        from_env({name: text})


def test_no_password_is_ever_printed() -> None:
    settings = from_env({"DATABASE_URL": "postgresql://anna:secret@db/mogelwerk"})

    assert "secret" not in repr(settings)
    with pytest.raises(BadSetting) as refused:
        from_env({"DATABASE_URL": "mysql://anna:secret@db/mogelwerk"})
    assert "secret" not in str(refused.value)
