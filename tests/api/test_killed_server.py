"""A server that is killed and started again goes on where it was."""

import http.client
import json
import subprocess
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.api.serving import started
from tests.api.worlds import SKIRMISH

BACK_WITHIN_S = 3.0  # from the first look at the new server; starting Python takes longer on a busy machine
NAME = {"do": "miniature", "ids": ["m3"], "name": "Ironclad"}


def told(server: subprocess.Popen[str]) -> dict[str, Any]:
    assert server.stdout is not None
    return dict(json.loads(server.stdout.readline()))


def asked(url: str, path: str, *, token: str = "", body: dict[str, Any] | None = None, method: str = "GET") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{url}api/v1/{path}", data=data, headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def test_table_corrections_and_seats_survive_a_kill(tmp_path: Path) -> None:
    files = ["serve", "--state", str(SKIRMISH), "--data", str(tmp_path / "table")]
    with started(*files) as server:
        where = told(server)
        url = where["urls"][0]
        code = where["join"]["judge"].rsplit("/", 1)[1]
        judge = asked(url, "join", body={"code": code}, method="POST")["token"]
        asked(url, "corrections", token=judge, body=NAME, method="POST")
        before = asked(url, "state")
        server.kill()
        server.wait(20)

    with started(*files, port=urlsplit(url).port or 0) as server:
        again = told(server)
        began = time.monotonic()
        state, seat = asked(url, "state"), asked(url, "seat", token=judge)
        took_s = time.monotonic() - began

    assert again == where
    assert state == before
    assert next(m["name"] for m in state["miniatures"] if m["id"] == "m3") == "Ironclad"
    assert (seat["seat"], seat["has_joined"]) == ("judge", True)
    assert took_s <= BACK_WITHIN_S


def test_what_was_answered_before_a_kill_amid_writing_is_there_again(tmp_path: Path) -> None:
    files = ["serve", "--state", str(SKIRMISH), "--data", str(tmp_path / "table"), "--open"]
    answered: list[str] = []
    for _ in range(2):
        with started(*files) as server:
            url = told(server)["urls"][0]
            threading.Timer(0.5, server.kill).start()
            with suppress(OSError, http.client.HTTPException):
                while True:
                    name = f"Größe {len(answered)}"
                    asked(url, "corrections", body=NAME | {"name": name}, method="POST")
                    answered.append(f"m3: {name}")
            server.wait(20)

    with started(*files) as server:
        kept = [step["says"] for step in asked(told(server)["urls"][0], "corrections")]

    assert len(answered) > 2
    assert set(answered) <= set(kept)
    assert len(kept) <= len(answered) + 2  # what was being written when it was killed may be there too
