"""The source offer: everybody at a table may have what runs there, and read whose work is in it."""

import io
import tarfile
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.http.source_offer import add_source_offer, licence_page, source_archive


@pytest.fixture(scope="module")
def names() -> list[str]:
    with tarfile.open(fileobj=io.BytesIO(source_archive())) as archive:
        return archive.getnames()


@pytest.mark.parametrize(
    "name",
    [
        "LICENSE", "pyproject.toml", "api/cli/__init__.py", "referee/__init__.py", "vision/native/kernel",
        "api/web/src", "api/web/package-lock.json", "vision/detection/network/weights/bases.onnx",
    ],
)  # fmt: skip
def test_the_archive_holds_what_the_program_is_made_of(names: list[str], name: str) -> None:
    assert any(one == f"tableside/{name}" or one.startswith(f"tableside/{name}/") for one in names)


def test_the_archive_holds_nothing_that_was_built_or_belongs_to_others(names: list[str]) -> None:
    assert not [one for one in names if "node_modules" in one or "/dist/" in one or one.endswith((".so", ".pyc"))]


def test_whoever_made_it_stays_unnamed() -> None:
    with tarfile.open(fileobj=io.BytesIO(source_archive())) as archive:
        assert {(part.uname, part.uid, part.mtime) for part in archive.getmembers()} == {("", 0, 0)}


def test_the_page_offers_the_source_and_shows_the_notices(tmp_path: Path) -> None:
    (tmp_path / "licences.txt").write_text("lit 3 (BSD-3-Clause)\n<b>not markup</b>")
    page = licence_page(tmp_path)

    assert 'href="/source.tar.gz"' in page
    assert "lit 3 (BSD-3-Clause)\n&lt;b&gt;not markup&lt;/b&gt;" in page
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in page


def test_everybody_may_fetch_both() -> None:
    app = FastAPI()
    add_source_offer(app)
    phone = TestClient(app)

    assert phone.get("/licences").headers["content-type"].startswith("text/html")
    assert phone.get("/source.tar.gz").content[:2] == b"\x1f\x8b"
