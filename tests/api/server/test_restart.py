"""A server that is killed and started again goes on where it was."""

import http.client
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from tests.api.serving import call_api, read_addresses, start_program
from tests.api.worlds import SKIRMISH

PATIENCE_S = 120
NAME = {"do": "miniature", "ids": ["m3"], "name": "Ironclad"}


def kill_after(enough: threading.Event, server: subprocess.Popen[str]) -> None:
    enough.wait(PATIENCE_S)
    server.kill()


def test_table_corrections_and_seats_survive_a_kill(tmp_path: Path) -> None:
    files = ["serve", "--state", str(SKIRMISH), "--data", str(tmp_path / "table")]
    with start_program(*files) as server:
        where = read_addresses(server)
        url = where["urls"][0]
        code = where["join"]["judge"].rsplit("/", 1)[1]
        judge = call_api(url, "join", body={"code": code}, method="POST")["token"]
        call_api(url, "corrections", token=judge, body=NAME, method="POST")
        before = call_api(url, "state")
        server.kill()
        server.wait(120)

    with start_program(*files, port=urlsplit(url).port or 0) as server:
        again = read_addresses(server)
        state, seat = call_api(url, "state"), call_api(url, "seat", token=judge)

    assert again == where
    assert state == before
    assert next(m["name"] for m in state["miniatures"] if m["id"] == "m3") == "Ironclad"
    assert (seat["seat"], seat["has_joined"]) == ("judge", True)


def test_what_was_answered_before_a_kill_amid_writing_is_there_again(tmp_path: Path) -> None:
    files = ["serve", "--state", str(SKIRMISH), "--data", str(tmp_path / "table"), "--open"]
    answered: list[str] = []
    for _ in range(2):
        with start_program(*files) as server:
            url = read_addresses(server)["urls"][0]
            enough, least = threading.Event(), len(answered) + 5
            killer = threading.Thread(target=kill_after, args=(enough, server))
            killer.start()
            with suppress(OSError, http.client.HTTPException):
                while True:
                    if len(answered) >= least:
                        enough.set()  # the next are on their way while it is killed
                    name = f"Größe {len(answered)}"
                    call_api(url, "corrections", body=NAME | {"name": name}, method="POST")
                    answered.append(f"m3: {name}")
            killer.join()
            server.wait(120)

    with start_program(*files) as server:
        kept = [step["says"] for step in call_api(read_addresses(server)["urls"][0], "corrections")]

    assert len(answered) >= 10
    assert set(answered) <= set(kept)
    assert len(kept) <= len(answered) + 2  # what was being written when it was killed may be there too
