"""Streams from real servers: pictures as they come, and a word on why none do."""

from itertools import islice
from pathlib import Path

import pytest

from models.errors import SourceLost
from tests.streams import SIZE, film, hls, jpegs, mjpeg, rtsp
from vision.capture.decoded_frame import DecodedFrame
from vision.capture.source_name import public_name
from vision.capture.stream import Stream

NOBODY = "127.0.0.1:9"


def first(url: str, count: int) -> list[DecodedFrame | None]:
    stream = Stream(url)
    try:
        return list(islice(stream.frames(), count))
    finally:
        stream.close()


def shape(shot: DecodedFrame | None) -> tuple[int, ...]:
    assert shot is not None
    return shot.bgr().shape


def test_mjpeg_over_http_gives_its_pictures() -> None:
    with mjpeg() as url:
        seen = first(url, 5)

    assert {shape(shot) for shot in seen} == {(SIZE[1], SIZE[0], 3)}


def test_rtsp_gives_its_pictures(tmp_path: Path) -> None:
    with rtsp(film(tmp_path / "film.mp4", 20)) as url:
        seen = first(url, 15)

    assert {shape(shot) for shot in seen} == {(SIZE[1], SIZE[0], 3)}


def test_hls_comes_in_pieces_and_is_shown_at_its_own_pace(tmp_path: Path) -> None:
    with hls(tmp_path, seconds=2, fps=20) as url:
        seen = [shot for shot in first(url, 11) if shot is not None]

    assert seen[-1].came_s - seen[0].came_s == pytest.approx(0.5, abs=0.15)


def test_pictures_are_stamped_when_they_come() -> None:
    ticks = iter(range(1000))
    with mjpeg() as url:
        stream = Stream(url, clock=lambda: float(next(ticks)))
        stamps = [shot.came_s for shot in islice(stream.frames(), 4) if shot is not None]
        stream.close()

    assert stamps == [0.0, 1.0, 2.0, 3.0]


def test_a_stream_that_breaks_off_gives_what_it_had_and_says_so() -> None:
    seen: list[DecodedFrame | None] = []
    with mjpeg(lambda: jpegs(7)) as url, pytest.raises(SourceLost, match="broke off"):
        seen.extend(Stream(url).frames())

    assert [shot is not None for shot in seen] == [True] * 7


@pytest.mark.parametrize("url", [f"rtsp://{NOBODY}/table", f"http://{NOBODY}/table.mjpg"])
def test_where_nobody_answers_is_told_by_its_address(url: str) -> None:
    with pytest.raises(SourceLost, match="nothing answers there") as lost:
        Stream(url)

    assert (lost.value.field, lost.value.value) == ("source", public_name(url))


def test_a_host_without_such_a_stream_is_told_apart(tmp_path: Path) -> None:
    with hls(tmp_path, seconds=1) as url, pytest.raises(SourceLost, match="knows no stream of this name"):
        Stream(url.replace("table", "other"))


def test_what_is_no_video_is_said(tmp_path: Path) -> None:
    (tmp_path / "notes.bin").write_text("the light was bad " * 400)
    with hls(tmp_path, seconds=1) as url, pytest.raises(SourceLost, match="what is sent is no video"):
        Stream(url.replace("table.m3u8", "notes.bin"))


def test_nobody_in_the_room_reads_the_password() -> None:
    with pytest.raises(SourceLost) as lost:
        Stream(f"rtsp://anna:secret@{NOBODY}/table")

    assert "secret" not in str(lost.value.problem())
    assert public_name(f"rtsp://anna:secret@{NOBODY}/key?token=b#c") == f"rtsp://{NOBODY}"
