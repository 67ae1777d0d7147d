"""The title of a table, which everybody reads."""

from pathlib import Path

import pytest

from api.camera.protocol import Job
from api.cli.hosting_options import open_table
from api.server import hosting
from api.server.serve import ListenOptions
from tests.api.cameras import CAMERA, LAYOUT


def test_the_title_of_a_table_holds_no_password_and_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    titles = []
    monkeypatch.setattr(hosting, "serve_job", lambda *_, title: titles.append(title))
    for source in ("http://anna:secret@cam.local", "http://cam.local/video?token=secret"):
        job = Job(source=source, camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
        listen = ListenOptions(host="127.0.0.1", port=0)
        open_table(None, lambda job=job: job, listen=listen, data=Path("unused"), is_open=False)

    assert titles == ["http://cam.local", "http://cam.local"]
