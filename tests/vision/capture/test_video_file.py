"""Recordings are read where PyAV is not installed too; what only PyAV can do is refused with how to get it."""

from pathlib import Path

import numpy as np
import pytest

from api.camera.live_source import opener_of
from api.cli.serve import SHIPPED
from models.errors import BadFile, BadInput
from tests.streams import film
from vision.capture import video_file
from vision.capture.sources import frame_count, read_frames


@pytest.fixture
def _without_pyav(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video_file, "has_pyav", lambda: False)


def test_both_ways_give_the_same_pictures_at_the_same_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = film(tmp_path / "film.mp4", 12, size=(320, 240))
    by_pyav = list(read_frames(path))
    monkeypatch.setattr(video_file, "has_pyav", lambda: False)
    by_opencv = list(read_frames(path))

    assert [(one.index, one.t_s) for one in by_opencv] == [(one.index, one.t_s) for one in by_pyav]
    assert all(np.array_equal(one.image, other.image) for one, other in zip(by_opencv, by_pyav, strict=True))
    assert frame_count(path) == len(by_pyav)


@pytest.mark.usefixtures("_without_pyav")
def test_a_video_that_breaks_off_is_told_without_pyav_too(tmp_path: Path) -> None:
    cut = tmp_path / "cut.mp4"
    cut.write_bytes((SHIPPED / "game.mp4").read_bytes()[:600_000])

    with pytest.raises(BadFile, match="breaks off"):
        list(read_frames(cut))


@pytest.mark.usefixtures("_without_pyav")
def test_a_text_is_no_video_without_pyav_either(tmp_path: Path) -> None:
    text = tmp_path / "text.mp4"
    text.write_text("once upon a time")

    with pytest.raises(BadFile, match="no video"):
        list(read_frames(text))


@pytest.mark.usefixtures("_without_pyav")
def test_a_network_stream_without_pyav_says_how_to_install_it() -> None:
    with pytest.raises(BadInput, match=r"pip install 'tableside\[streams\]'") as refused:
        opener_of("rtsp://somebody:secret@192.168.0.9/table")
    assert (refused.value.field, refused.value.value) == ("source", "rtsp://192.168.0.9")
