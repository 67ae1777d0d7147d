"""A camera on a cable is found by what does not move."""

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.errors import SourceLost
from vision.capture.device import Device
from vision.capture.source_name import device_number, is_device


class _Camera:
    """A driver that gives one grey picture after another."""

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, Any]:
        return True, np.full((4, 6, 3), 90, np.uint8)

    def set(self, prop: int, value: float) -> bool:
        return False

    def release(self) -> None: ...


def _plug_in(folder: Path, number: int) -> str:
    """The camera under its own name, at this number."""
    link = folder / "usb-Brio_1234-video-index0"
    link.unlink(missing_ok=True)
    (folder / f"video{number}").touch()
    link.symlink_to(f"video{number}")
    return str(link)


@pytest.mark.parametrize(("source", "expected"), [("0", True), ("/dev/v4l/by-id/usb-x", True), ("game.mp4", False)])
def test_what_names_a_camera_on_a_cable(source: str, expected: bool) -> None:
    assert is_device(source) is expected


def test_a_camera_is_followed_when_its_number_moves(tmp_path: Path) -> None:
    opened: list[int] = []

    def open_capture(number: int) -> _Camera:
        opened.append(number)
        return _Camera()

    for number in (2, 5):
        source = _plug_in(tmp_path, number)
        assert len(list(islice(Device(source, capture=open_capture).frames(), 2))) == 2

    assert opened == [2, 5]


@pytest.mark.parametrize("name", ["usb-away-video-index0", "null"])
def test_a_camera_that_is_not_plugged_in_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "null").touch()

    with pytest.raises(SourceLost, match=f"camera {name}: it is not plugged in"):
        device_number(str(tmp_path / name))
