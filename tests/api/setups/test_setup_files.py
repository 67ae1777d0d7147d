"""Files of setups: private, named so that every system can keep them, and still kept where they cannot be removed."""

import errno
from pathlib import Path

import pytest

from api.errors import JournalFailed
from api.setups.schemas import Setup
from api.setups.store import SetupStore
from api.storage.files import portable_name


def test_a_setup_is_for_its_owner_alone(tmp_path: Path) -> None:
    SetupStore(tmp_path / "setups").put(Setup(name="Old Town"))

    assert (tmp_path / "setups" / "old-town.json").stat().st_mode & 0o777 == 0o600


def test_a_name_that_windows_keeps_for_a_device_is_kept_under_another(tmp_path: Path) -> None:
    SetupStore(tmp_path).put(Setup(name="CON"))

    assert [path.name for path in tmp_path.iterdir()] == ["con_.json"]
    assert SetupStore(tmp_path).find_setup("con").name == "CON"


def test_what_cannot_be_removed_is_said_and_still_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SetupStore(tmp_path)
    store.put(Setup(name="Old Town"))

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(JournalFailed, match="cannot be removed: Read-only file system"):
        store.remove("Old Town")

    assert store.find_setup("Old Town").name == "Old Town"


@pytest.mark.parametrize(
    ("stem", "kept"),
    [
        ("club", "club"),
        ("nul", "nul_"),
        ("COM1.old", "COM1.old_"),
        ("table.", "table"),
        ("...", "_"),
        ("COM10", "COM10"),
    ],
)
def test_every_system_can_keep_the_name(stem: str, kept: str) -> None:
    assert portable_name(stem) == kept
