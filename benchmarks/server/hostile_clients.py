"""What players wait for a pair's sheet while a hundred who have no seat do their worst.

    python -m benchmarks.server.hostile_clients [--hostile 100] [--seconds 30]

A written table on this machine, two players with seats who tap pairs that nobody has asked about. Once alone, once
while hostile clients without a seat send lists of questions, pairs, megabytes of nothing, and hang up. Prints the
median and the 95th in a hundred of both, and the ratio of the latter, which may be 1.5 at most. The hostile ones are in
a process of their own that steps back behind all others, as attackers on another machine take no processor time from
the server; they ask this machine alone, and stop when the time is over.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from benchmarks.server.hall.server import start_table

STATE = Path(__file__).parents[2] / "tests" / "api" / "states" / "skirmish.json"
PAUSE_S = 0.5
TARGET = 1.5
LOOPBACK = "http://127.0.0.1:"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hostile", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--attack", metavar="URL", help="be the hostile ones; the benchmark starts itself so")
    chosen = parser.parse_args()
    if chosen.attack:
        os.nice(19)
        asyncio.run(attack(chosen.attack, clients=chosen.hostile, seconds=chosen.seconds))
        return
    alone_ms = measure(hostile=0, seconds=chosen.seconds)
    beside_ms = measure(hostile=chosen.hostile, seconds=chosen.seconds)
    print(format_waits("alone", alone_ms))
    print(format_waits(f"beside {chosen.hostile} hostile clients without a seat", beside_ms))
    print(
        f"ratio of the 95th in a hundred: {percentile_95(beside_ms) / percentile_95(alone_ms):.2f} (at most {TARGET})"
    )
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


def measure(*, hostile: int, seconds: float) -> list[float]:
    """How long players waited for whole sheets, in milliseconds, at a fresh server."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        table = stack.enter_context(start_table("serve", "--state", str(STATE), "--data", str(folder)))
        if hostile:
            command = [sys.executable, "-m", "benchmarks.server.hostile_clients", "--attack", table.server.url]
            attackers = subprocess.Popen([*command, "--hostile", str(hostile), "--seconds", str(seconds + 10)])
            stack.callback(attackers.wait, 60)
            stack.callback(attackers.terminate)
        code = table.told["join"]["players"].rsplit("/", 1)[1]
        return asyncio.run(play(table.server.url, code, seconds=seconds))


async def play(url: str, code: str, *, seconds: float) -> list[float]:
    """Two players tap pairs, one after the other, until the time is over."""
    ids = [m["id"] for m in json.loads(STATE.read_text())["miniatures"]]
    pairs = list(itertools.permutations(ids, 2))
    random.Random(42).shuffle(pairs)
    waited_ms: list[float] = []
    until_s = time.monotonic() + seconds

    async def one_player(mine: list[tuple[str, str]]) -> None:
        async with httpx2.AsyncClient(base_url=url, timeout=120) as http:
            token = (await http.post("api/v1/join", json={"code": code})).json()["token"]
            for a, b in mine:
                if time.monotonic() > until_s:
                    return
                began_s = time.perf_counter()
                answer = await http.post(
                    "api/v1/ask-pair", json={"a": a, "b": b}, headers={"Authorization": f"Bearer {token}"}
                )
                assert answer.status_code == 200, answer.text
                waited_ms.append(1000 * (time.perf_counter() - began_s))
                await asyncio.sleep(PAUSE_S)

    await asyncio.gather(one_player(pairs[::2]), one_player(pairs[1::2]))
    return waited_ms


async def attack(url: str, *, clients: int, seconds: float) -> None:
    """Ask, and ask again, as fast as the server lets; of this machine only."""
    if not url.startswith(LOOPBACK):
        raise SystemExit(f"only a server at {LOOPBACK}PORT/ is attacked, not {url}")
    ids = [m["id"] for m in json.loads(STATE.read_text())["miniatures"]]
    with suppress(TimeoutError):
        until_s = time.monotonic() + seconds
        blows = (attack_again(url, ids, seed=n, until_s=until_s) for n in range(clients))
        await asyncio.wait_for(asyncio.gather(*blows), seconds)


async def attack_again(url: str, ids: list[str], *, seed: int, until_s: float) -> None:
    chance = random.Random(seed)
    async with httpx2.AsyncClient(base_url=url, timeout=20) as http:
        while time.monotonic() < until_s:
            a, b = chance.sample(ids, 2)
            with suppress(httpx2.HTTPError, OSError):
                path, told = _blow(chance, a, b, ids)
                await http.post(path, **told)


def _blow(chance: random.Random, a: str, b: str, ids: list[str]) -> tuple[str, dict[str, Any]]:
    """One request that costs the server as much as it can."""
    sights = [{"kind": "los", "viewer": v, "target": t} for v, t in itertools.permutations(ids, 2)]
    match chance.randrange(5):
        case 0 | 1:
            return "api/v1/ask", {"json": chance.sample(sights, min(len(sights), 200))}
        case 2:
            return "api/v1/ask", {"json": chance.sample(sights, 50), "timeout": 0.5}  # and hangs up
        case 3:
            return "api/v1/ask-pair", {"json": {"a": a, "b": b}}
        case _:
            return "api/v1/corrections", {"content": b" " * 1_000_000}


def format_waits(what: str, waited_ms: list[float]) -> str:
    return (
        f"{what}: {len(waited_ms)} sheets, median {statistics.median(waited_ms):.0f} ms, "
        f"p95 {percentile_95(waited_ms):.0f} ms, longest {max(waited_ms):.0f} ms"
    )


def percentile_95(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(0.95 * len(values)))]


if __name__ == "__main__":
    main()
