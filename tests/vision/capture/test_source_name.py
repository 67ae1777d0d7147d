"""What of a source everybody may read."""

import pytest

from vision.capture.source_name import public_name


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("0", "0"),
        ("/media/anna/game.mp4", "game.mp4"),
        ("http://anna:secret@cam.local:8080", "http://cam.local:8080"),
        ("http://cam.local/video?token=secret", "http://cam.local"),
        ("rtmp://cam.local/app/secret", "rtmp://cam.local"),
        ("rtsp://anna:se@cret@cam.local/x#secret", "rtsp://cam.local"),
        ("http://[secret", "a stream"),
        ("rtsp://anna:se/cret@cam.local/x", "rtsp://…"),
        ("rtsp://anna:se#cret@cam.local/x", "rtsp://…"),
        ("rtsp://anna:12?34@cam.local/x", "rtsp://…"),
        ("rtsp://anna:12/34#5@cam.local:8554/x", "rtsp://…"),
    ],
)
def test_no_name_password_or_token_is_shown(source: str, shown: str) -> None:
    assert public_name(source) == shown
