"""Films: what is drawn over a recording and when, and that picture, pace and sound are kept."""

import math
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from api.cli import app as command_line
from api.corrections.settlements import DoubtSettled
from api.games.film import look_at_video, write_film
from api.games.film_drawing import FilmPainter
from api.games.film_sources import read_game
from api.games.film_timeline import CARD_S, TRAIL_S, Card, FilmTimeline, Shown
from api.journal.file_journal import FileJournal
from api.live.hub import Hub
from api.live.table_view import table_view
from api.server.journal_entries import ENTRY_CLASSES
from calibration.arrays import Image
from calibration.camera_model.projection import project
from models.errors import BadFile, BadInput
from models.queries import Distance
from models.timeline import EventLine
from models.verdict import Answer
from tests.api.cameras import CAMERA, POSE
from tests.api.evidence.test_evidence import FEW, picture, report_with

WIDTH, HEIGHT = CAMERA.image_size
TABLE = table_view(FEW)
RATE = 32_000


def write_video(path: Path, *, frames: int = 12, sound: str | None = "aac", size: tuple[int, int] = (64, 48)) -> Path:
    """A video of 12 frames a second that grows brighter, with a tone."""
    with av.open(str(path), "w") as out:
        film: Any = out.add_stream("libx264", rate=12)
        film.width, film.height, film.pix_fmt = *size, "yuv420p"
        tone: Any = None if sound is None else out.add_stream(sound, rate=RATE)
        for i in range(frames):
            image = np.full((size[1], size[0], 3), 20 + 15 * i, np.uint8)
            out.mux(film.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        out.mux(film.encode(None))
        if tone is not None:
            samples = (8000 * np.sin(np.arange(RATE * frames // 12) / 12)).astype(np.int16)[None]
            heard = av.AudioFrame.from_ndarray(samples, format="s16", layout="mono")
            heard.sample_rate, heard.pts, heard.time_base = RATE, 0, Fraction(1, RATE)
            out.mux(tone.encode(heard))
            out.mux(tone.encode(None))
    return path


def read_video(path: Path) -> tuple[list[float], list[Image], Any]:
    with av.open(str(path)) as source:
        frames = [
            (float(one.time or 0.0), np.asarray(one.to_ndarray(format="bgr24"), np.uint8))
            for one in source.decode(video=0)
        ]
        codecs = [one.codec_context.codec.canonical_name for one in source.streams]
    return [t_s for t_s, _ in frames], [image for _, image in frames], codecs


def blank() -> Image:
    return np.full((HEIGHT, WIDTH, 3), 90, np.uint8)


def changed(shown: Shown) -> np.ndarray[Any, Any]:
    image = blank()
    FilmPainter(CAMERA, sides=["blue", "red"]).paint(image, shown)
    return np.asarray((image != 90).any(axis=2))


def rim_px(x_mm: float, y_mm: float) -> tuple[int, int]:
    ((x, y),) = project(np.array([[x_mm, y_mm, 4.0]]), camera=CAMERA, pose=POSE)
    return round(float(x)), round(float(y))


@pytest.mark.parametrize("sound", ["aac", "mp3"])
def test_pace_and_sound_are_kept_and_the_film_is_h264(tmp_path: Path, sound: str) -> None:
    video, seen = write_video(tmp_path / "in.mp4", sound=sound), list[float]()
    count = write_film(video, tmp_path / "out.mp4", lambda _, t_s: seen.append(t_s))
    times, _, codecs = read_video(tmp_path / "out.mp4")
    with av.open(str(tmp_path / "out.mp4")) as film, av.open(str(video)) as source:
        heard = [sum(one.samples for one in of.decode(audio=0)) for of in (film, source)]

    assert (count, codecs) == (12, ["h264", sound])
    assert times == pytest.approx([i / 12 for i in range(12)], abs=1e-3)
    assert seen == pytest.approx(times, abs=1e-3)
    assert heard[0] == heard[1] > 0


def test_sound_that_mp4_cannot_hold_is_encoded_anew(tmp_path: Path) -> None:
    video = write_video(tmp_path / "in.mkv", sound="pcm_s16le")
    write_film(video, tmp_path / "out.mp4", lambda *_: None)

    assert read_video(tmp_path / "out.mp4")[2] == ["h264", "aac"]


def test_what_is_painted_is_in_the_film(tmp_path: Path) -> None:
    def paint(image: Image, _: float) -> None:
        image[:, :32] = (0, 0, 255)

    write_film(write_video(tmp_path / "in.mp4", sound=None), tmp_path / "out.mp4", paint)
    first = read_video(tmp_path / "out.mp4")[1][0]

    assert first[24, 10, 2] > 200
    assert first[24, 50].tolist() == pytest.approx([20, 20, 20], abs=12)


def test_a_film_of_odd_size_loses_a_row_and_no_more(tmp_path: Path) -> None:
    image = np.full((47, 63, 3), 60, np.uint8)
    with av.open(str(tmp_path / "in.mkv"), "w") as out:
        film: Any = out.add_stream("ffv1", rate=10)
        film.width, film.height, film.pix_fmt = 63, 47, "bgr0"
        out.mux(film.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        out.mux(film.encode(None))
    write_film(tmp_path / "in.mkv", tmp_path / "out.mp4", lambda *_: None)

    assert read_video(tmp_path / "out.mp4")[1][0].shape == (46, 62, 3)


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    video = write_video(tmp_path / "in.mp4")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(BadFile, match="No space left"):
        write_film(video, tmp_path / "out.mp4", full)
    assert [path.name for path in tmp_path.iterdir()] == ["in.mp4"]


def test_a_video_that_is_not_of_the_camera_s_size_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as wrong:
        look_at_video(write_video(tmp_path / "in.mp4"), CAMERA)
    assert (wrong.value.field, wrong.value.value) == ("video", "64x48")


@pytest.mark.parametrize("content", [b"", b"no video", None])
def test_a_file_that_is_no_video_is_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "in.mp4"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadFile) as wrong:
        look_at_video(path, CAMERA)
    assert wrong.value.field == "video"


@pytest.mark.parametrize("output", ["out.avi", "in.mp4", "nowhere/out.mp4"])
def test_an_output_that_cannot_be_is_named(tmp_path: Path, output: str) -> None:
    video = write_video(tmp_path / "in.mp4", size=(WIDTH, HEIGHT), frames=2)
    lens, layout = tmp_path / "cam.json", tmp_path / "layout.json"
    lens.write_text(CAMERA.model_dump_json())
    layout.write_text('{"table_mm": [400, 300], "fiducials": {"kind": "none"}}')
    said = CliRunner().invoke(
        command_line,
        ["annotate", str(video), "--camera", str(lens), "--layout", str(layout), "-o", str(tmp_path / output)],
    )

    assert isinstance(said.exception, BadInput | BadFile)


def test_an_outline_lies_on_the_base_it_is_of() -> None:
    drawn = changed(Shown(table=TABLE, pose=POSE))
    one = next(m for m in TABLE.miniatures if m.id == "m7")
    assert one.base.shape == "round"
    for turn in np.arange(0, math.tau, 0.7):
        x, y = rim_px(
            one.at_mm[0] + one.base.radius_mm * math.cos(turn), one.at_mm[1] + one.base.radius_mm * math.sin(turn)
        )
        assert drawn[y - 2 : y + 3, x - 2 : x + 3].any()


def test_who_is_in_a_hand_is_not_drawn() -> None:
    m = next(m for m in TABLE.miniatures if m.id == "m7")
    assert m.base.shape == "round"
    x, y = rim_px(m.at_mm[0] - m.base.radius_mm, m.at_mm[1])  # away from everybody else's name
    box = np.s_[y - 1 : y + 2, x - 1 : x + 2]

    assert changed(Shown(table=TABLE, pose=POSE))[box].any()
    assert not changed(Shown(table=TABLE, pose=POSE, lifted=frozenset({"m7"})))[box].any()


def test_nothing_is_drawn_while_nobody_knows_where_the_table_lies() -> None:
    assert not changed(Shown(table=TABLE, pose=None)).any()


def test_a_layer_that_is_drawn_again_is_the_same() -> None:
    painter, shown = FilmPainter(CAMERA, sides=[]), Shown(table=TABLE, pose=POSE)
    first, second = blank(), blank()
    painter.paint(first, shown)
    painter.paint(second, shown)

    assert cv2.absdiff(first, second).max() == 0


def event(type_: Any, t_s: float, **more: Any) -> EventLine:
    return EventLine(type=type_, t_s=t_s, frame=0, ids=("m7",), **more)


def test_whoever_is_lifted_is_gone_until_the_next_table() -> None:
    film = FilmTimeline(tables=[(0.0, TABLE), (8.0, TABLE)])
    film.note_event(5.0, event("in-hand", 5.0))

    assert [film.at(t_s).lifted for t_s in (4.9, 5.0, 7.9, 8.0)] == [
        frozenset(),
        frozenset({"m7"}),
        frozenset({"m7"}),
        frozenset(),
    ]


def test_a_trail_is_as_long_as_the_way_that_was_seen_and_fades() -> None:
    film = FilmTimeline(tables=[(0.0, TABLE)])
    way = {"from_mm": (0.0, 0.0), "to_mm": (30.0, 40.0)}
    film.note_event(2.0, event("moved", 2.0, **way))
    film.note_event(9.0, event("moved", 9.0, **way, travelled_mm=61.5))

    assert [one.length_mm for one in film.trails] == [50.0, 61.5]
    assert [len(film.at(t_s).trails) for t_s in (1.9, 2.0, 1.9 + TRAIL_S, 2.0 + TRAIL_S)] == [0, 1, 1, 0]


def test_a_card_stands_at_its_moment() -> None:
    card = Card(3.0, "A sees B", ("Anna", "Bert"), "Clear", "yes", "Accepted", (("clear", ((100, 100), (200, 150))),))
    film = FilmTimeline(tables=[(0.0, TABLE)], poses=[(0.0, POSE)], cards=[card])
    shown = film.at(4.0)
    drawn = changed(shown)

    assert film.at(2.9).card is None
    assert film.at(3.0 + CARD_S).card is None
    assert drawn[HEIGHT - round(HEIGHT * 100 / 1080), round(HEIGHT * 200 / 1080)]
    x, y = rim_px(150.0, 125.0)
    assert drawn[y - 4 : y + 5, x - 4 : x + 5].any()


def test_what_players_agreed_stands_on_a_card(tmp_path: Path) -> None:
    first, second = (one.id for one in FEW.miniatures[:2])
    asked, stood = {"kind": "distance", "a": first, "b": second}, {first: (1.0, 1.0), second: (2.0, 2.0)}
    with closing(FileJournal(tmp_path, ENTRY_CLASSES)) as journal:
        hub = Hub(title="club night", journal=journal)
        hub.handle_report(report_with(picture(), FEW))
        journal.write(DoubtSettled(by="player-a", query=asked, how="agreed", answer=Answer.YES, stood_mm=stood))

    film = read_game(tmp_path, FilmTimeline(poses=[(0.0, POSE)]), begins_s=0.0, entry_classes=ENTRY_CLASSES)

    (card,) = film.cards
    assert (card.decision, card.answer, card.asked) == ("Both agreed", "yes", Distance.title())
