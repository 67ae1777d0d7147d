"""`python -m benchmarks.hub --tables 200 --minutes 10`: how late a judge sees a line, with everybody in the hall.

Starts the real nats-server, PostgreSQL and two hubs, simulated tables in the rhythm of the recorded game, judges and
spectators, all on this machine. `--embedded`: one hub with SQLite, to which tables speak by HTTP. `--kill-hub` kills
one hub with -9 in the middle. At the end every line of every table is compared with what the hub holds.
"""

import argparse
import asyncio
import multiprocessing
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from api.hall.keys import EventKeys, TableKey, make_keys, write_keys
from api.hall.schema import LINES
from api.hall.store import HallStore
from api.journal.file_journal import NAME
from benchmarks.hub.simulated_tables import Seen, run_tables, watch_as_judge, watch_as_spectator
from tests.api.hall.servers import start_broker, start_postgres
from tests.api.serving import call_api, find_free_port, read_addresses, start_program

AFTER_S = 100.0  # until the last line has been taken, or is told as missing
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
MEASURING_JUDGES = (
    2  # the others only read: decoding everything twenty times would be the benchmark's load, not the hub's
)


@dataclass
class Hall:
    """The servers of a run: where tables send, where pages look, the database, and the processes by name."""

    tables_url: str
    hubs: list[str]
    database: str
    processes: dict[str, int]


def main() -> int:
    """Run it and print what was measured; 1 when a line is missing, doubled or out of order."""
    asked = _parse_arguments()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tableside-hub-")))
        tables = Path(stack.enter_context(TemporaryDirectory(prefix="tableside-tables-", dir=fast_folder())))
        made = make_keys("benchmark", tables=asked.tables, judges=("Anna",))
        write_keys(folder / "keys", *made)
        hall = stack.enter_context(_start_hall(folder, asked))
        organiser = next(one.token for one in made[0].seats if one.name == "Organiser")
        call_api(hall.hubs[0], "hall/settings", token=organiser, body={"delay_s": asked.delay}, method="PUT")
        seen, memory = _play(tables, hall, made, asked)
        kept_s, wrong = compare_lines(tables, hall.database, made[1])
    _report(asked, seen, memory, kept_s)
    for one in wrong:
        print(f"WRONG: {one}")
    return 1 if wrong else 0


def fast_folder() -> str | None:
    """Where tables write: each real one has a disk of its own, so they are not to wait here for one disk of all."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hub", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--judges", type=int, default=20)
    parser.add_argument("--spectators", type=int, default=2000)
    parser.add_argument("--hubs", type=int, default=2)
    parser.add_argument("--delay", type=float, default=10, help="seconds by which spectators see a table late")
    parser.add_argument("--embedded", action="store_true")
    parser.add_argument("--kill-hub", action="store_true")
    return parser.parse_args()


@contextmanager
def _start_hall(folder: Path, asked: argparse.Namespace) -> Iterator[Hall]:
    keys = ("--keys", str(folder / "keys"))
    with ExitStack() as stack:
        if asked.embedded:
            hub = stack.enter_context(start_program("hub", "run", *keys, "--data", str(folder / "hub")))
            url = read_addresses(hub)["urls"][0]
            database = f"sqlite:///{folder / 'hub' / 'hall.sqlite'}"
            yield Hall(url, [url], database, {"hub 1": hub.pid})
            return
        (folder / "postgres").mkdir()
        (folder / "nats").mkdir()
        folder.chmod(0o755)  # PostgreSQL runs as a user of its own
        postgres = stack.enter_context(start_postgres(folder / "postgres"))
        broker = stack.enter_context(start_broker(folder / "nats", (folder / "keys" / "nats.conf").read_text()))
        database = postgres.new_database()
        options = (*keys, "--database", database, "--nats", broker.url)
        ports = [find_free_port() for _ in range(asked.hubs)]
        hubs = [stack.enter_context(start_program("hub", "run", *options, port=port)) for port in ports]
        urls = [read_addresses(hub)["urls"][0] for hub in hubs]
        processes = {f"hub {n}": hub.pid for n, hub in enumerate(hubs, start=1)} | _servers()
        processes["PostgreSQL"] = int((folder / "postgres" / "data" / "postmaster.pid").read_text().split()[0])
        yield Hall(broker.url, urls, database, processes)


def _servers() -> dict[str, int]:
    """The broker's process, by its command line."""
    found = [pid for pid in _children(os.getpid()) if "nats-server" in Path(f"/proc/{pid}/stat").read_text()]
    return {"nats-server": found[0]}


def _children(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(path.parent.name))
    return found


def _play(
    folder: Path, hall: Hall, made: tuple[EventKeys, tuple[TableKey, ...]], asked: argparse.Namespace
) -> tuple[Seen, dict[str, float]]:
    seconds = 60 * asked.minutes
    arguments = (folder, hall.tables_url, made[1], seconds)
    players = multiprocessing.get_context("spawn").Process(target=run_tables, args=arguments)
    players.start()
    assert players.pid is not None
    hall.processes["all tables"] = players.pid
    token = next(one.token for one in made[0].seats if one.name == "Anna")
    try:
        return asyncio.run(_watch(hall, token, players, asked))
    finally:
        players.join(1)
        players.kill()


async def _watch(
    hall: Hall, token: str, players: multiprocessing.process.BaseProcess, asked: argparse.Namespace
) -> tuple[Seen, dict[str, float]]:
    seen, half_s = Seen(), time.monotonic() + 30 * asked.minutes
    judges = [
        watch_as_judge(hall.hubs, token, seen, place=n, measures=n < MEASURING_JUDGES) for n in range(asked.judges)
    ]
    crowd = [
        watch_as_spectator(hall.hubs, random.randint(1, asked.tables), seen, place=n) for n in range(asked.spectators)
    ]
    jobs = [asyncio.create_task(one) for one in (*judges, *crowd)]
    memory: dict[str, float] = {}
    over_s = time.monotonic() + 60 * asked.minutes + AFTER_S
    while players.is_alive() and time.monotonic() < over_s:
        await asyncio.sleep(1)
        for name, pid in hall.processes.items():
            with suppress(OSError):  # it has ended
                family = [pid, *_children(pid)]
                memory[name] = max(memory.get(name, 0.0), _resident_mb(pid))
                seen.busy_s[name] = max(seen.busy_s.get(name, 0.0), sum(map(_busy_s, family)))
        if asked.kill_hub and time.monotonic() > half_s and "hub 2" in hall.processes:
            os.kill(hall.processes.pop("hub 2"), 9)
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)
    return seen, memory


def _busy_s(pid: int) -> float:
    """For how long a process has had a processor."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _resident_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE_BYTES / 1e6


def compare_lines(folder: Path, database: str, keys: tuple[TableKey, ...]) -> tuple[list[float], list[str]]:
    """How long each line took until it was kept, and what the hub holds otherwise than the tables wrote it."""
    store, wrong = HallStore(database, "benchmark", tables=[]), []
    for key in keys:
        path = folder / str(key.table) / NAME
        written = path.read_text("utf-8").splitlines() if path.exists() else []
        held = store.texts_of(key.table)
        if held != written:
            wrong.append(f"table {key.table}: {len(written)} lines were written, the hub holds {len(held)}")
    with store.transaction() as db:
        kept_s = list(db.execute(sa.select(LINES.c.stored_s - LINES.c.sent_s)).scalars())
    store.close()
    return kept_s, wrong


def _report(asked: argparse.Namespace, seen: Seen, memory: dict[str, float], kept_s: list[float]) -> None:
    kind = "embedded: SQLite and HTTP" if asked.embedded else f"NATS, PostgreSQL, {asked.hubs} hubs"
    print(f"{asked.tables} tables, {asked.minutes:g} min, {asked.judges} judges, {asked.spectators} spectators; {kind}")
    print(f"  from a table's write to a judge's page: {describe_lags(seen.lag_s)} of {len(seen.lag_s)} sights")
    print(
        f"  of it until the line was kept: {describe_lags(kept_s)}; until it was drawn: {describe_lags(seen.drawn_s)}"
    )
    seconds = 60 * asked.minutes
    print(f"  lines {len(kept_s)}, {len(kept_s) / seconds:.1f} a second, each compared with the hub's: ", end="")
    print("once and in order where nothing is said below")
    print(f"  events to judges {seen.judge_events / seconds:.0f} a second, to spectators", end=" ")
    print(
        f"{seen.spectator_events / seconds:.0f}; {seen.bytes / 1e6 / seconds:.2f} MB/s; {seen.most_open} streams open,"
    )
    print(f"  {seen.lost} were lost and opened again")
    print("  processor: " + ", ".join(f"{name} {s / seconds:.2f} cores" for name, s in sorted(seen.busy_s.items())))
    print("  memory: " + ", ".join(f"{name} {mb:.0f} MB" for name, mb in sorted(memory.items())))
    print(f"  {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


def describe_lags(lags_s: list[float]) -> str:
    lags = sorted(lags_s) or [float("nan")]
    p95 = lags[int(0.95 * (len(lags) - 1))]
    return f"p50 {statistics.median(lags):.3f} s, p95 {p95:.3f} s, worst {lags[-1]:.2f} s"


if __name__ == "__main__":
    sys.exit(main())
