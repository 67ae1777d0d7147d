"""What the camera sees beyond the table's edge leaves by no door: all places that write pictures are known."""

import asyncio
from typing import get_args, get_type_hints

import cv2
import numpy as np
import pytest

from api.camera import photographs
from api.camera.frame_loop import FrameLoop
from api.camera.protocol import FrameReport, ImageReport, Job, Report, SettledPicture
from api.camera.table_pictures import table_jpeg
from api.evidence.pictures import cut_crop, decode, straighten_table
from api.evidence.schemas import PixelBox
from api.live.annotated_video import annotate_picture, stream_frames
from api.live.hub import Hub
from calibration.arrays import Image
from calibration.camera_model.projection import project
from models.camera import CameraPose
from tests.api.camera.test_process import Watching
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.worlds import camera_commands, frame_report, skirmish, state_line
from tests.house.sources import PACKAGES, calls_in, modules_of, named
from vision.capture.sources import Frame
from vision.tracking.tracker import FrameResult

_WRITERS = {"imencode", "imwrite", "VideoWriter", "tofile", "to_image"}
_DOORS = {
    "api/camera/frame_loop.py": "the table at rest, black beyond its edge; and what the corners desk below hands out",
    "api/cli/give.py": "a photograph that its giver packs, black beyond the table's edge, into a file that he named",
    "vision/labelled_crops.py": "cuts around bases that somebody confirmed, into a folder that he named",
    "api/camera/table_pictures.py": "the table, straightened: nothing beyond its edge",
    "api/live/annotated_video.py": "pictures that others of these wrote, made smaller or with lines drawn into them",
    "api/evidence/pictures.py": "cut from the picture of a table at rest, which is black beyond the table's edge",
    "api/tap_measurement/service.py": "part of a picture that the first of these wrote, or of a photograph so masked",
    "api/corners/service.py": "the one exception, kept nowhere: corners are tapped in the camera's picture, "
    "black beyond a hand's breadth of the last known edge; all of it is seen by who judges alone",
    "api/setup_pictures/preview.py": "all that a camera sees, small, before there is a table; kept nowhere, shown to "
    "who holds the table's code (`tests/api/routes/test_guided_setup.py`)",
    "api/setup_pictures/marked_photograph.py": "a photograph that somebody chose, in memory while marked; what is "
    "kept is black beyond a hand's breadth of the table's edge (`tests/api/setup_pictures/test_marked_photograph.py`)",
    "api/setup_pictures/solve_draft.py": "the same in full, in which the corners of blank sheets are tapped; and "
    "a set-up's own, in memory alone, until terrain was proposed by them or the "
    "step is left; no route sends them (`tests/api/setup_pictures/test_terrain_step.py`)",
    "api/setup_pictures/terrain_step.py": "the table, straightened: nothing beyond its edge; gone with those pictures",
}
_GREEN, _GREY = (0, 255, 0), (128, 128, 128)
_RIM_PX = 2  # where table and room share a pixel


def test_every_place_that_writes_pictures_is_known() -> None:
    """A new one needs a line above, and a test below that looks at what it writes."""
    modules = [path for package in PACKAGES for path in modules_of(package) if "training" not in path.parts]
    found = {named(path) for path in modules for _, call in calls_in(path) if call.rsplit(".")[-1] in _WRITERS}

    assert found == _DOORS.keys()


@pytest.fixture
def room() -> Image:
    return _room()


def _room() -> Image:
    """A grey table in a green room."""
    wide, deep = LAYOUT.table_mm
    corners = np.array([(0, 0, 0), (wide, 0, 0), (wide, deep, 0), (0, deep, 0)], np.float64)
    outline = np.rint(project(corners, camera=CAMERA, pose=POSE)).astype(np.int32)
    picture = np.full((CAMERA.image_size[1], CAMERA.image_size[0], 3), _GREEN, np.uint8)
    cv2.fillConvexPoly(picture, outline, _GREY)
    return picture


@pytest.fixture
def table(room: Image) -> bytes:
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
    return table_jpeg(room, job, POSE)


def _greenness(jpeg: bytes) -> int:
    """How much greener than red and blue the greenest pixel inside the rim is."""
    seen = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    inside = seen[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX].astype(int)
    return int((inside[..., 1] - inside[..., [0, 2]].max(axis=-1)).max())


def test_the_room_is_in_the_camera_s_picture(room: Image) -> None:
    assert (room == _GREEN).all(axis=2).mean() > 0.3


def test_the_picture_for_phones_shows_nothing_of_the_room(table: bytes) -> None:
    assert _greenness(table) < 60


def test_the_video_shows_nothing_of_the_room(table: bytes) -> None:
    hub = Hub(title="private")
    hub.handle_report(frame_report(state_line(skirmish()), jpeg=table))

    async def first_part() -> bytes:
        return await anext(aiter(stream_frames(hub)))

    part = asyncio.run(first_part())
    assert _greenness(part[part.index(b"\xff\xd8") :]) < 60


def test_a_photograph_gives_a_picture_of_the_table_and_of_nothing_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photographs, "locate_photo", lambda *_, **__: (skirmish(), POSE))
    job = Job(source="photographs", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
    sent = cv2.imencode(".png", _room())[1].tobytes()
    _, kept, tapped, _ = photographs.locate_photograph(sent, job, None, 0)

    assert _greenness(kept) < 60
    assert _greenness(tapped.jpeg) < 60


def test_bytes_come_from_the_camera_s_process_in_four_fields_only() -> None:
    """A picture of the table; the camera's own of a table at rest, black beyond its edge; what the
    next process must know, of which a test says that no picture is in it; and the
    picture that who minds the table asks for, once each time, to tap the mat's corners in: nobody else may."""
    fields = {
        (report.__name__, name)
        for report in (*get_args(Report), SettledPicture)
        for name, kind in get_type_hints(report).items()
        if bytes in (kind, *get_args(kind))
    }

    assert fields == {
        ("FrameReport", "jpeg"),
        ("SnapshotReport", "memory"),
        ("ImageReport", "jpeg"),
        ("SettledPicture", "jpeg"),
    }


def test_the_picture_with_lines_shows_nothing_of_the_room(table: bytes) -> None:
    hub = Hub(title="private")
    hub.handle_report(frame_report(state_line(skirmish()), jpeg=table))

    assert _greenness(asyncio.run(annotate_picture(hub))) < 60


class AtRest(Watching):
    """A tracker for whom the table is at rest in every frame."""

    def update(self, frame: Frame) -> FrameResult:
        line = state_line(skirmish())
        return FrameResult(frame.index, frame.t_s, (line,), is_settled=True, hand=False, pose=POSE)


def test_the_picture_of_a_table_at_rest_shows_nothing_of_the_room() -> None:
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime", keeps_pictures=True)
    frame = Frame(index=0, t_s=0.0, image=_room())
    (report,) = FrameLoop(job, camera_commands(), lambda _: AtRest()).process_frame(frame, 0.0)
    assert isinstance(report, FrameReport)
    assert report.settled is not None

    assert _greenness(report.settled.jpeg) < 60


def test_evidence_shows_nothing_of_the_room() -> None:
    """Cut and straightened from that picture."""
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime", keeps_pictures=True)
    (report,) = FrameLoop(job, camera_commands(), lambda _: AtRest()).process_frame(Frame(0, 0.0, _room()), 0.0)
    assert isinstance(report, FrameReport)
    assert report.settled is not None
    image = decode(report.settled)
    box = PixelBox(left_px=0, top_px=0, width_px=image.shape[1], height_px=image.shape[0])

    assert _greenness(cut_crop(image, box)) < 60
    assert _greenness(straighten_table(report.settled, image)) < 60


class Blind(Watching):
    """A tracker who has never seen where the table is."""

    def update(self, frame: Frame) -> FrameResult:
        return FrameResult(frame=frame.index, t_s=frame.t_s, lines=(), is_settled=False, hand=False, pose=None)


def _looked(tracker: Watching, *, pose: CameraPose | None = None) -> ImageReport:
    """What comes when who minds the table wants to tap corners."""
    wishes = camera_commands()
    wishes.edged.set()
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime", pose=pose)
    frame = Frame(index=0, t_s=0.0, image=_room())
    (looked,) = (
        one
        for one in FrameLoop(job, wishes, lambda _: tracker).process_frame(frame, 0.0)
        if isinstance(one, ImageReport)
    )
    return looked


@pytest.mark.parametrize(("tracker", "pose"), [(Watching(), None), (Blind(), POSE)], ids=["seen", "known before"])
def test_the_picture_for_corners_shows_a_hand_s_breadth_of_the_room(tracker: Watching, pose: CameraPose | None) -> None:
    looked = _looked(tracker, pose=pose)
    assert looked.jpeg is not None
    seen = cv2.imdecode(np.frombuffer(looked.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    near, far = project([(-80, 150, 0), (-130, 150, 0)], camera=CAMERA, pose=POSE).round().astype(int)

    assert looked.is_edged
    assert seen[near[1], near[0], 1] > 200
    assert seen[far[1], far[0], 1] < 30


def test_before_the_edge_is_known_no_picture_for_corners_leaves_the_camera_s_process() -> None:
    assert _looked(Blind()).jpeg is None
