"""Only whole pictures come out, whatever went in."""

from pathlib import Path

import av
import numpy as np
import pytest

from tests.streams import film, jpeg, numbered
from vision.capture.decoded_frame import DecodedFrame
from vision.capture.decoder import Decoder, open_video
from vision.capture.sources import read_frames

HURT = 13  # of thirty pictures, a whole one every ten: what it spoils ends with the twentieth


def levels(shots: list[DecodedFrame | None]) -> list[float | None]:
    return [None if shot is None else round(float(shot.bgr().mean())) for shot in shots]


def decoded(path: Path) -> list[float | None]:
    with open_video(str(path)) as container:
        return levels(list(Decoder(container).frames()))


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return film(tmp_path / "whole.ts", 30, size=(320, 240))


def hurt(path: Path, number: int) -> Path:
    """The same film, one picture's data spoilt, though not its head."""
    broken = path.with_name("hurt.mkv")
    with av.open(str(path)) as source, av.open(str(broken), "w") as out:
        stream = out.add_stream_from_template(source.streams.video[0])
        for count, packet in enumerate(source.demux(source.streams.video[0])):
            if packet.size == 0:
                continue
            data = bytearray(bytes(packet))
            if count == number:
                data[len(data) // 3 :] = np.random.default_rng(3).bytes(len(data) - len(data) // 3)
            fresh = av.Packet(bytes(data))
            fresh.pts, fresh.dts, fresh.time_base = packet.pts, packet.dts, packet.time_base
            fresh.is_keyframe, fresh.stream = packet.is_keyframe, stream
            out.mux(fresh)
    return broken


def test_every_picture_of_a_whole_film_comes_out(whole: Path) -> None:
    assert decoded(whole) == pytest.approx([float(numbered(number, (320, 240)).mean()) for number in range(30)], abs=3)


def test_a_damaged_picture_and_all_that_build_on_it_are_left_out(whole: Path) -> None:
    before, after = decoded(whole), decoded(hurt(whole, HURT))

    assert after[:HURT] == before[:HURT]
    assert set(after[HURT:20]) == {None}
    assert after[20:] == before[20:]


def test_a_damaged_jpeg_spoils_no_other(tmp_path: Path) -> None:
    reel = tmp_path / "reel.mjpeg"
    pictures = [jpeg(numbered(n)) for n in range(6)]
    middle = bytearray(pictures[2])
    middle[-400:-2] = np.random.default_rng(1).bytes(398).replace(b"\xff", b"\x7f")
    reel.write_bytes(b"".join([*pictures[:2], bytes(middle), *pictures[3:]]))

    seen = decoded(reel)

    assert [one is None for one in seen] == [False, False, True, False, False, False]


def test_who_joins_in_the_middle_waits_for_a_picture_that_builds_on_none(whole: Path, tmp_path: Path) -> None:
    late = tmp_path / "late.ts"
    with av.open(str(whole)) as source, av.open(str(late), "w") as out:
        stream = out.add_stream_from_template(source.streams.video[0])
        for count, packet in enumerate(source.demux(source.streams.video[0])):
            if packet.size and count >= 4:
                packet.stream = stream
                out.mux(packet)

    assert decoded(late) == decoded(whole)[10:]


def test_a_recording_with_a_damaged_picture_goes_on_after_it(whole: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    frames = [frame.index for frame in read_frames(hurt(whole, HURT))]

    assert frames == [*range(HURT), *range(20, 30)]
    assert "damaged=7" in caplog.text
