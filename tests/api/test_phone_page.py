from pathlib import Path

from fastapi import FastAPI
from starlette.testclient import TestClient

from api.phone_page import add_phone_page


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
