"""Killed with -9 while rulings are written: what was acknowledged is there, with all its evidence, in a whole chain."""

import json
import subprocess
import sys
import threading
import time
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any
from urllib.error import URLError

import pytest

from api.evidence.store import check_evidence
from api.journal.chain import read_chain
from api.journal.file_journal import NAME
from tests.api.serving import call_api

SLOTS = ("distance", "sight", "distance-back")
_SERVER = [sys.executable, "-m", "tests.api.evidence.ruling_server"]


def rule_until_killed(url: str, acknowledged: list[dict[str, Any]]) -> None:
    """Rulings one after the other, each noted once it is acknowledged."""
    for i in range(10_000):
        about = {"pair": {"a": "m7", "b": "m10"}, "slot": SLOTS[i % 2]}
        try:
            wanted = {"about": about, "decision": "accepted", "reason": f"ruling {i}"}
            acknowledged.append(call_api(url, "rulings", body=wanted, method="POST"))
        except (URLError, OSError, ValueError, HTTPException):
            return


def kill_amid_rulings(folder: Path, *, after_s: float) -> list[dict[str, Any]]:
    """What was acknowledged before the kill."""
    acknowledged: list[dict[str, Any]] = []
    with subprocess.Popen([*_SERVER, str(folder)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["urls"][0]
        writers = [threading.Thread(target=rule_until_killed, args=(url, acknowledged)) for _ in range(2)]
        for writer in writers:
            writer.start()
        while not acknowledged:
            assert server.poll() is None
            time.sleep(0.002)
        time.sleep(after_s)
        server.kill()
        server.wait(120)
        for writer in writers:
            writer.join(120)
    return acknowledged


def check_kept(folder: Path, acknowledged: list[dict[str, Any]]) -> int:
    """How many lines are whole; all that was acknowledged is among them, with its evidence."""
    chain, evidence = read_chain(folder / NAME), check_evidence(folder / NAME)
    text = (folder / NAME).read_bytes()
    lines = {line["n"]: line["entry"] for line in map(json.loads, text[: text.rfind(b"\n") + 1].splitlines())}

    torn = not text.endswith(b"\n")
    assert chain.why is None or (torn and "its end is missing" in chain.why)
    assert (evidence.missing, evidence.altered) == ((), ())
    for ruling in acknowledged:
        assert lines[ruling["n"]]["reason"] == ruling["reason"]
        assert lines[ruling["n"]]["evidence"] == ruling["evidence"]
        assert None not in ruling["evidence"].values()
    return chain.lines


@pytest.mark.parametrize("rounds", [2, pytest.param(60, marks=pytest.mark.slow)])
def test_every_acknowledged_ruling_is_there_with_its_evidence(tmp_path: Path, rounds: int) -> None:
    chance = Random(rounds)
    acknowledged: list[dict[str, Any]] = []
    for _ in range(rounds):
        acknowledged += kill_amid_rulings(tmp_path, after_s=chance.uniform(0.0, 0.4))
        lines = check_kept(tmp_path, acknowledged)

    assert lines > rounds
