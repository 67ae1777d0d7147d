from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from api.http.security_headers import BUILT, add_phone_page
from benchmarks.server.page_load import MOST_SCRIPT_BYTES, script_bytes


def test_a_page_that_was_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    app = FastAPI()
    add_phone_page(app, built=tmp_path)

    answer = TestClient(app).get("/")

    assert answer.status_code == 503
    assert "npm run build" in answer.text


def test_the_page_is_asked_for_anew_each_time(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>table</p>")
    app = FastAPI()
    add_phone_page(app, built=tmp_path)

    assert TestClient(app).get("/").headers["cache-control"] == "no-cache"


def test_the_first_load_is_small(capsys: pytest.CaptureFixture[str]) -> None:
    first = script_bytes()

    with capsys.disabled():
        print(f"\nscript of the first load: {first / 1000:.1f} kB compressed")
    assert 10_000 < first <= MOST_SCRIPT_BYTES


def test_scripts_are_sent_compressed_and_kept_for_good() -> None:
    app = FastAPI()
    add_phone_page(app)
    script = next((BUILT / "assets").glob("index-*.js")).name

    answer = TestClient(app).get(f"/assets/{script}")

    assert answer.headers["content-encoding"] == "gzip"
    assert "immutable" in answer.headers["cache-control"]
