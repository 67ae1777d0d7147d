"""`python -m benchmarks.hub.chaos --tables 40 --minutes 3 --seed 7`: what dies in a hall, and whether a line is lost.

Real hubs, nats-server and PostgreSQL (`--embedded`: one hub, SQLite and HTTP) under simulated tables, a tenth of which
have clocks hours off. Every few seconds one of these happens, drawn from the seed: a hub, the broker or the database
is killed with -9 and started again; a hub is stopped and goes on; the network between tables and hub is cut, or holds
what passes and lets it go later. At the end every line of every table is compared with what the hub holds: once, in
order, byte for byte. Disks that are full and folders restored from old copies are tested in `tests/api/hall`.
"""

import argparse
import json
import multiprocessing
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from api.hall.keys import make_keys, write_keys
from benchmarks.hub.__main__ import compare_lines, describe_lags, fast_folder
from benchmarks.hub.simulated_tables import run_tables
from tests.api.hall.hall_tables import Cable
from tests.api.hall.servers import Broker, Postgres, start_broker, start_postgres
from tests.api.serving import find_free_port, read_addresses, start_program

CAUGHT_UP_S = 120.0
SKEW_S = 5 * 3600.0


class Hub:
    """A hub that can be killed, stopped and started on the same port."""

    def __init__(self, options: tuple[str, ...], stack: ExitStack) -> None:
        self._options, self._stack, self._port = options, stack, find_free_port()
        self.start()

    def start(self) -> None:
        self._process = self._stack.enter_context(start_program("hub", "run", *self._options, port=self._port))
        self.url = read_addresses(self._process)["urls"][0]

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(120)

    def stop_for(self, seconds: float) -> None:
        os.kill(self._process.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(self._process.pid, signal.SIGCONT)


class Chaos:
    """The servers of a hall, and what can happen to them."""

    def __init__(self, hubs: list[Hub], broker: Broker | None, postgres: Postgres | None, cable: Cable) -> None:
        self.hubs, self.broker, self.postgres, self.cable = hubs, broker, postgres, cable

    def faults(self, dice: random.Random) -> dict[str, Callable[[], None]]:
        """Each takes as long as it lasts."""

        def restart(server: Any) -> None:
            server.kill()
            time.sleep(dice.uniform(0, 5))
            server.start()

        def cut(begin: Callable[[], None]) -> None:
            begin()
            time.sleep(dice.uniform(1, 6))
            self.cable.mend()

        hub = dice.choice(self.hubs)
        faults: dict[str, Callable[[], None]] = {
            "hub killed": lambda: restart(hub),
            "hub stopped": lambda: hub.stop_for(dice.uniform(1, 12)),
            "network cut": lambda: cut(self.cable.cut),
            "network held": lambda: cut(self.cable.hold),
        }
        if self.broker is not None:
            faults["broker killed"] = lambda: restart(self.broker)
        if self.postgres is not None:
            faults["database killed"] = lambda: restart(self.postgres)
        return faults


def main() -> int:
    """Run it and print what happened; 1 when a line is missing, doubled or out of order."""
    asked = _parse_arguments()
    dice = random.Random(asked.seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="tableside-chaos-")))
        tables = Path(stack.enter_context(TemporaryDirectory(prefix="tableside-tables-", dir=fast_folder())))
        made = make_keys("benchmark", tables=asked.tables, judges=("Anna",))
        write_keys(folder / "keys", *made)
        chaos, database, url = stack.enter_context(_start_hall(folder, is_embedded=asked.embedded))
        skews = {key.table: dice.choice((-SKEW_S, SKEW_S)) for key in made[1] if dice.random() < 0.1}
        arguments = (tables, url, made[1], 60 * asked.minutes, skews)
        players = multiprocessing.get_context("spawn").Process(target=run_tables, args=arguments)
        players.start()
        try:
            happened = _play(chaos, dice, 60 * asked.minutes)
            began_s, wrong, kept_s = time.monotonic(), ["not compared"], list[float]()
            while wrong and time.monotonic() - began_s < CAUGHT_UP_S:
                time.sleep(1)
                kept_s, wrong = compare_lines(tables, database, made[1])
            caught_up_s = time.monotonic() - began_s
        finally:
            players.kill()
    facts = {"tables": asked.tables, "minutes": asked.minutes, "seed": asked.seed, "happened": dict(happened)}
    print(json.dumps(facts | {"lines": len(kept_s), "caught_up_s": round(caught_up_s, 1), "wrong": len(wrong)}))
    lags_s = [lag_s for lag_s in kept_s if abs(lag_s) < SKEW_S / 2]  # of the others the clocks say nothing
    print(f"from a table to the hub: {describe_lags(lags_s)}")
    for says in wrong:
        print(f"WRONG: {says}")
    return 1 if wrong else 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hub.chaos", description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--embedded", action="store_true")
    return parser.parse_args()


def _play(chaos: Chaos, dice: random.Random, seconds: float) -> Counter[str]:
    began_s, happened = time.monotonic(), Counter[str]()
    while time.monotonic() - began_s < seconds:
        time.sleep(dice.uniform(3, 9))
        faults = chaos.faults(dice)
        name = dice.choice(sorted(faults))
        faults[name]()
        happened[name] += 1
        print(f"{time.monotonic() - began_s:5.0f} s  {name}", flush=True)
    return happened


@contextmanager
def _start_hall(folder: Path, *, is_embedded: bool) -> Iterator[tuple[Chaos, str, str]]:
    """The servers, the database's address, and the address that tables are given: behind the cable."""
    keys = ("--keys", str(folder / "keys"))
    with ExitStack() as stack:
        if is_embedded:
            hub = Hub((*keys, "--data", str(folder / "hub")), stack)
            cable = stack.enter_context(Cable(urlsplit(hub.url).port or 0))
            yield Chaos([hub], None, None, cable), f"sqlite:///{folder / 'hub' / 'hall.sqlite'}", cable.url
            return
        for name in ("postgres", "nats"):
            (folder / name).mkdir()
        folder.chmod(0o755)  # PostgreSQL runs as a user of its own
        postgres = stack.enter_context(start_postgres(folder / "postgres"))
        broker = stack.enter_context(start_broker(folder / "nats", (folder / "keys" / "nats.conf").read_text()))
        database = postgres.new_database()
        options = (*keys, "--database", database, "--nats", broker.url)
        hubs = [Hub(options, stack) for _ in range(2)]
        cable = stack.enter_context(Cable(broker.port))
        yield Chaos(hubs, broker, postgres, cable), database, cable.url.replace("http://", "nats://")


if __name__ == "__main__":
    sys.exit(main())
