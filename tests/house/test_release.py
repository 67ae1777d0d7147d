"""A release: one place for the version, a section of what was gathered, a bill, sums that hold."""

import hashlib
import re
import shutil
from datetime import date
from pathlib import Path

import pytest

from scripts.release import NotReady, changelog_section, raise_version, versions, with_page_parts, write_sums
from tests.house.sources import ROOT

DAY = date(2030, 1, 2)
NAMES = ("pyproject.toml", "CHANGELOG.md", "api/web/package.json", "api/web/package-lock.json")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What of the project a version stands in, with one change that was not released."""
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "README.md").write_text("How to.\n")
    (tmp_path / "changelog.d" / "seats-renewal.md").write_text("Added: seats: codes can be\nrenewed.\n")
    return tmp_path


def test_the_project_has_one_version() -> None:
    assert len(set(versions(ROOT))) == 1


def test_a_new_version_stands_wherever_one_does(clone: Path) -> None:
    raise_version(clone, "9.8.7", DAY)

    assert set(versions(clone)) == {"9.8.7"}


def test_nothing_else_of_these_files_changes(clone: Path) -> None:
    raise_version(clone, "9.8.7", DAY)
    old = versions(ROOT)[0]

    for name in NAMES[2:]:
        now = (clone / name).read_text(encoding="utf-8")
        assert now.count('"9.8.7"') in (1, 2)
        assert now.replace('"9.8.7"', f'"{old}"') == (ROOT / name).read_text(encoding="utf-8")


def test_a_gathered_change_is_in_the_section_and_no_longer_a_file(clone: Path) -> None:
    raise_version(clone, "9.8.7", DAY)
    text = (clone / "CHANGELOG.md").read_text(encoding="utf-8")

    assert "## [9.8.7] - 2030-01-02\n\n### Added\n\n- seats: codes can be renewed.\n\n## [" in text
    assert [path.name for path in (clone / "changelog.d").iterdir()] == ["README.md"]


def test_links_lead_on_from_the_folder_above() -> None:
    assert "([a](docs/a.md))" in changelog_section("1.0.0", DAY, ["Added: a ([a](../docs/a.md)).\n"])


def test_kinds_stand_in_their_order_each_once() -> None:
    section = changelog_section("1.0.0", DAY, ["Fixed: a.\n", "Added: b.\nChanged: c.\n", "Added: d.\n"])

    assert re.findall(r"^(### \w+|- .*)$", section, re.MULTILINE) == [
        "### Added", "- b.", "- d.", "### Changed", "- c.", "### Fixed", "- a.",
    ]  # fmt: skip


@pytest.mark.parametrize("version", ["", "1.0", "v1.0.0", "1.0.0-beta"])
def test_what_is_no_version_is_refused(clone: Path, version: str) -> None:
    with pytest.raises(NotReady, match="is no version"):
        raise_version(clone, version, DAY)

    assert versions(clone) == versions(ROOT)


def test_nothing_new_is_no_release(clone: Path) -> None:
    (clone / "changelog.d" / "seats-renewal.md").unlink()

    with pytest.raises(NotReady, match="nothing to release"):
        raise_version(clone, "9.8.7", DAY)


def test_the_bill_holds_what_is_bundled_into_the_pages() -> None:
    bill = with_page_parts({"components": [{"name": "numpy"}]})
    parts = {part["name"]: part for part in bill["components"]}

    assert {"numpy", "lit", "@lit/reactive-element"} <= set(parts)
    assert re.fullmatch(r"pkg:npm/%40lit/reactive-element@\d+\.\d+\.\d+", parts["@lit/reactive-element"]["purl"])


def test_sums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"wheel")
    write_sums(tmp_path)
    write_sums(tmp_path)

    assert (tmp_path / "SHA256SUMS").read_text() == f"{hashlib.sha256(b'wheel').hexdigest()}  a.whl\n"


@pytest.mark.parametrize(("lock", "at_least"), [("table", 30), ("streams", 1)])
def test_a_table_is_installed_by_hashes_alone(lock: str, at_least: int) -> None:
    """pip's --require-hashes refuses a file in which one line has none."""
    lines = (ROOT / f"requirements-{lock}.lock").read_text(encoding="utf-8").replace("\\\n", "").splitlines()
    pinned = [line for line in lines if line and not line.startswith("#")]

    assert len(pinned) >= at_least
    assert [line for line in pinned if not re.search(r"^[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line)] == []


def test_a_table_gets_the_versions_that_are_tested() -> None:
    tested = dict(re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements.lock").read_text("utf-8"), re.MULTILINE))
    locks = "".join((ROOT / f"requirements-{name}.lock").read_text("utf-8") for name in ("table", "streams"))
    table = dict(re.findall(r"^([\w.-]+)==(\S+)", locks, re.MULTILINE))
    names = {name.lower().replace("_", "-"): version for name, version in tested.items()}

    assert {name: version for name, version in table.items() if names.get(name) != version} == {}
