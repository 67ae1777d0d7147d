"""What the camera sees beyond the table's edge leaves by no door: all places that write pictures are known."""

import asyncio
from typing import get_args, get_type_hints

import cv2
import numpy as np
import pytest

from api import photographs
from api.annotated import annotated, video
from api.hub import Hub
from api.job import Job
from api.lookout import Lookout, table_jpeg
from api.sighting import Looked, Report
from calibration.lens import project
from models.camera import CameraPose
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.test_camera_process import Watching
from tests.api.worlds import flags_of_a_camera, settled, sighting, skirmish
from tests.house.sources import PACKAGES, calls_in, modules_of, named
from vision.decoding import Picture
from vision.glance import Glance
from vision.sources import Frame

_WRITERS = {"imencode", "imwrite", "VideoWriter", "tofile", "to_image"}
_DOORS = {
    "api/lookout.py": "the table, straightened: nothing beyond its edge",
    "api/annotated.py": "the same picture with lines drawn into it",
    "api/corner_desk.py": "the one exception, kept nowhere: corners are tapped in the camera's picture, black beyond "
    "a hand's breadth of the last known edge; all of it is seen by who judges alone",
}
_GREEN, _GREY = (0, 255, 0), (128, 128, 128)
_RIM_PX = 2  # where table and room share a pixel


def test_every_place_that_writes_pictures_is_known() -> None:
    """A new one needs a line above, and a test below that looks at what it writes."""
    modules = [path for package in PACKAGES for path in modules_of(package) if "training" not in path.parts]
    found = {named(path) for path in modules for _, call in calls_in(path) if call.rsplit(".")[-1] in _WRITERS}

    assert found == _DOORS.keys()


@pytest.fixture
def room() -> Picture:
    return _room()


def _room() -> Picture:
    """A grey table in a green room."""
    wide, deep = LAYOUT.table_mm
    corners = np.array([(0, 0, 0), (wide, 0, 0), (wide, deep, 0), (0, deep, 0)], np.float64)
    outline = np.rint(project(corners, camera=CAMERA, pose=POSE)).astype(np.int32)
    picture = np.full((CAMERA.image_size[1], CAMERA.image_size[0], 3), _GREEN, np.uint8)
    cv2.fillConvexPoly(picture, outline, _GREY)
    return picture


@pytest.fixture
def table(room: Picture) -> bytes:
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
    return table_jpeg(room, job, POSE) or b""


def _greenness(jpeg: bytes) -> int:
    """How much greener than red and blue the greenest pixel inside the rim is."""
    seen = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    inside = seen[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX].astype(int)
    return int((inside[..., 1] - inside[..., [0, 2]].max(axis=-1)).max())


def test_the_room_is_in_the_camera_s_picture(room: Picture) -> None:
    assert (room == _GREEN).all(axis=2).mean() > 0.3


def test_the_picture_for_phones_shows_nothing_of_the_room(table: bytes) -> None:
    assert _greenness(table) < 60


def test_the_video_shows_nothing_of_the_room(table: bytes) -> None:
    hub = Hub(title="private")
    hub.take(sighting(settled(skirmish()), jpeg=table))

    async def first_part() -> bytes:
        return await anext(aiter(video(hub)))

    part = asyncio.run(first_part())
    assert _greenness(part[part.index(b"\xff\xd8") :]) < 60


def test_a_photograph_gives_a_picture_of_the_table_and_of_nothing_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photographs, "photographed", lambda *_, **__: (skirmish(), POSE))
    job = Job(source="photographs", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime")
    sent = cv2.imencode(".png", _room())[1].tobytes()
    _, kept = photographs.locate(sent, job, None, 0)

    assert _greenness(kept) < 60


def test_bytes_come_from_the_camera_s_process_in_three_fields_only() -> None:
    """A picture of the table; what the next process must know, of which a test says that no picture is in it; and the
    picture that who minds the table asks for, once each time, to tap the mat's corners in: nobody else may."""
    fields = {
        (report.__name__, name)
        for report in get_args(Report)
        for name, kind in get_type_hints(report).items()
        if bytes in (kind, *get_args(kind))
    }

    assert fields == {("Sighting", "jpeg"), ("Kept", "memory"), ("Looked", "jpeg")}


def test_the_picture_with_lines_shows_nothing_of_the_room(table: bytes) -> None:
    hub = Hub(title="private")
    hub.take(sighting(settled(skirmish()), jpeg=table))

    assert _greenness(asyncio.run(annotated(hub))) < 60


class Blind(Watching):
    """A watcher who has never seen where the table is."""

    def look(self, frame: Frame) -> Glance:
        return Glance(frame=frame.index, t_s=frame.t_s, lines=(), is_settled=False, hand=False, pose=None)


def _looked(watcher: Watching, *, pose: CameraPose | None = None) -> Looked:
    """What comes when who minds the table wants to tap corners."""
    wishes = flags_of_a_camera()
    wishes.edged.set()
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime", pose=pose)
    frame = Frame(index=0, t_s=0.0, image=_room())
    (looked,) = (one for one in Lookout(job, wishes, lambda _: watcher).see(frame, 0.0) if isinstance(one, Looked))
    return looked


@pytest.mark.parametrize(("watcher", "pose"), [(Watching(), None), (Blind(), POSE)], ids=["seen", "known before"])
def test_the_picture_for_corners_shows_a_hand_s_breadth_of_the_room(watcher: Watching, pose: CameraPose | None) -> None:
    looked = _looked(watcher, pose=pose)
    assert looked.jpeg is not None
    seen = cv2.imdecode(np.frombuffer(looked.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert seen is not None
    near, far = project([(-80, 150, 0), (-130, 150, 0)], camera=CAMERA, pose=POSE).round().astype(int)

    assert looked.is_edged
    assert seen[near[1], near[0], 1] > 200
    assert seen[far[1], far[0], 1] < 30


def test_before_the_edge_is_known_no_picture_for_corners_leaves_the_camera_s_process() -> None:
    assert _looked(Blind()).jpeg is None
