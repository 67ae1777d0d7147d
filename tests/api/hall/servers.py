"""The real nats-server and PostgreSQL of this machine, each in a test's own folder and on a loopback port."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from tests.api.serving import find_free_port

PATIENCE_S = 120


class NoServer(Exception):
    """The machine lacks the server: `make test` installs it."""


class Broker:
    """A nats-server; it can be killed and started again on the same port and folder."""

    def __init__(self, folder: Path, configuration: str) -> None:
        program = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")
        if program is None:
            raise NoServer("nats-server is missing: scripts/ensure-hall-servers")
        self.port = find_free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._folder, self._file = folder, folder / "nats.conf"
        told = configuration.replace("port: 4222", f"listen: 127.0.0.1:{self.port}")
        self._file.write_text(told.replace("store_dir: nats-data", f'store_dir: "{folder / "nats-data"}"'))
        self._command = [program, "-c", str(self._file), "-l", str(folder / "nats.log")]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, cwd=self._folder)
        _wait_for_port(self.port)

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(120)


@contextmanager
def start_broker(folder: Path, configuration: str) -> Iterator[Broker]:
    """A broker with this configuration, for as long as it is needed."""
    broker = Broker(folder, configuration)
    try:
        yield broker
    finally:
        broker.kill()


class Postgres:
    """A PostgreSQL; each test has a database of its own in it."""

    def __init__(self, folder: Path) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [Path(shutil.which("initdb") or "/missing").parent]
        if not (found[-1] / "initdb").exists():
            raise NoServer("PostgreSQL is missing: scripts/ensure-hall-servers")
        self._bin, self._folder, self.port = found[-1], folder, find_free_port()
        self._count = 0
        if os.geteuid() == 0:  # it does not run as root
            shutil.chown(folder, "postgres")
        self._run("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "tableside", "--no-sync")
        self.start()

    def start(self) -> None:
        # fsync=off: what dies here is a process and no disk, and to recover it would first write all files anew: 2 min
        options = f"-p {self.port} -h 127.0.0.1 -k {self._folder} -c fsync=off"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-o", options, "-l", log, "-w", "-t", "300", "start")

    def kill(self) -> None:
        """All its processes at once; it has to recover when it starts again."""
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "-w", "-t", "300", "stop")

    def new_database(self) -> str:
        """The address of a database that holds nothing yet."""
        self._count += 1
        name = f"hall{self._count}"
        engine = sa.create_engine(self._url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as db:
            db.execute(sa.text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return self._url(name)

    def _url(self, name: str) -> str:
        return f"postgresql+psycopg://tableside@127.0.0.1:{self.port}/{name}"

    def _run(self, program: str, *arguments: str) -> None:
        as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        command = [*as_user, str(self._bin / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self._folder)


@contextmanager
def start_postgres(folder: Path) -> Iterator[Postgres]:
    """A PostgreSQL in this folder, for as long as it is needed."""
    server = Postgres(folder)
    try:
        yield server
    finally:
        with suppress(subprocess.CalledProcessError):
            server.kill()


def _wait_for_port(port: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < until, f"nobody listens on {port}"
            time.sleep(0.02)
