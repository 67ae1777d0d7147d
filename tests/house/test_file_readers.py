"""Who may unpack and parse what strangers send: one module, under its limits."""

import pytest

from tests.house.sources import imports_of, modules_of, named

READER = "api/storage/untrusted_files.py"
ALLOWED = {
    "zipfile": {READER, "api/games/archive.py", "api/cli/doctor.py", "api/tap_measurement/gift.py"},  # these write
    "tomllib": {READER, "api/cli/settings.py"},  # the table owner's own file
    "tarfile": {"api/http/source_offer.py"}, "gzip": {"api/http/security_headers.py"},  # these two write
    "bz2": set(), "lzma": set(),
}  # fmt: skip


@pytest.mark.parametrize("module", ALLOWED)
def test_archives_and_toml_are_opened_by_one_module(module: str) -> None:
    importers = {named(path) for path in modules_of("api") for _, name in imports_of(path) if name == module}

    assert importers <= ALLOWED[module]


def test_those_that_write_archives_open_none() -> None:
    for writer in ALLOWED["zipfile"] - {READER}:
        (path,) = (path for path in modules_of("api") if named(path) == writer)
        opens = [line for line in path.read_text("utf-8").splitlines() if "ZipFile(" in line]

        assert all('"w"' in line for line in opens), writer
