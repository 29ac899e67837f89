"""People who play over HTTP, each with a token of his own."""

from __future__ import annotations

from typing import Any, Self

import httpx


class Person:
    """An account and a connection. ``do`` expects success and gives the JSON; ``try_`` gives the response."""

    def __init__(self, url: str, token: str, player: str, name: str) -> None:
        self.token = token
        self.id = player
        self.name = name
        self.http = httpx.Client(base_url=url, headers={"authorization": f"Bearer {token}"}, timeout=20)

    @classmethod
    def arrive(cls, url: str, name: str) -> Self:
        made = httpx.post(f"{url}/v1/players", json={"name": name})
        assert made.status_code == 201, made.text
        return cls(url, made.json()["token"], made.json()["player"], name)

    @classmethod
    def again(cls, url: str, token: str, name: str) -> Self:
        """Somebody who has an account already, perhaps at another server of the same service."""
        return cls(url, token, "", name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def try_(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.request(method, path, json=body, headers=named)

    def do(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        answer = self.try_(method, path, body, **headers)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def opens(self, **wish: Any) -> str:
        """A sandbox match of Cheat for three, unless it is wished otherwise; gives its id."""
        match: str = self.do("POST", "/v1/matches", {"game": "cheat", "seats": 3, "sandbox": True, **wish})["match"]
        return match

    def sees(self, match: str) -> Any:
        return self.do("GET", f"/v1/matches/{match}")

    def sits(self, match: str, **how: Any) -> Any:
        return self.do("POST", f"/v1/matches/{match}/seats", how)

    def starts(self, match: str) -> Any:
        return self.do("POST", f"/v1/matches/{match}/start")

    def acts(self, match: str, **action: Any) -> Any:
        return self.do("POST", f"/v1/matches/{match}/actions", action)

    def turns_clock(self, match: str, seconds: float) -> Any:
        return self.do("POST", f"/v1/matches/{match}/clock", {"advance_ms": round(seconds * 1000)})
