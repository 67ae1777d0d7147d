"""Both databases and both transports: the same tests run against all."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.api.hall.servers import NoServer, Postgres, start_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """PostgreSQL, started once, in a folder that no other run of the tests tidies away. Without it the test fails."""
    try:
        with TemporaryDirectory(prefix="tableside-postgres-") as folder, start_postgres(Path(folder)) as server:
            yield server
    except NoServer as missing:
        pytest.fail(str(missing))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: object) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/hall.sqlite"
    server = request.getfixturevalue("postgres")
    assert isinstance(server, Postgres)
    return server.new_database()
