"""Cameras and detectors of other packages at the live table: used by their names, and what fails ends no game."""

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice

import numpy as np
import pytest

from api.camera.live_source import is_live, opener_of
from api.camera.plugin_camera import PluginCamera
from api.camera.plugin_detector import PluginDetector
from api.camera.process import reports, tracker_of
from api.camera.protocol import Job, Report, SourceNotice
from api.cli.serve import SHIPPED, known_detector, shipped_camera
from api.storage.files import load
from api.storage.plugins import TAKEN, load_plugins
from calibration.arrays import Image
from models.base import catalogue_of
from models.errors import BadInput, BadLayout, SourceLost
from models.layout import Layout
from models.timeline import StateLine
from tests.api.cameras import CAMERA, LAYOUT, POSE
from tests.api.worlds import camera_commands
from tests.plugins import Install
from tests.vision.detection.network.fake_network import network_that_answers
from vision.candidates import Finder
from vision.detection.network.finder import NetworkFinder

BLACK = np.zeros((240, 320, 3), np.uint8)


def pictures(address: str) -> Iterator[Image | None]:
    """A camera whose cable is bad: one whole, one damaged, then an error of its driver."""
    yield from (BLACK, None)
    raise RuntimeError(f"no such port: {address}")


class Blind:
    """A detector that is made, and fails at its first picture."""

    def __init__(self, *_: object) -> None: ...

    def find(self, *_: object, **__: object) -> tuple[()]:
        raise ZeroDivisionError("no light")


@pytest.mark.usefixtures("example_package")
def test_a_table_is_played_with_camera_and_detector_of_another_package() -> None:
    """Ten seconds: the shipped camera is calibrated, and the first settled table of its recording measured."""
    job = Job(
        source=f"example://{SHIPPED / 'game.mp4'}", camera=shipped_camera(), edition="warmachine-prime",
        layout=load(Layout, SHIPPED / "layout.json", error=BadLayout), detector=known_detector("example"),
    )  # fmt: skip
    notices: list[Report] = []
    seen = reports(job, camera_commands(), tracker=partial(tracker_of, tell=notices.append))
    states = (line.state for report in seen for line in getattr(report, "lines", ()) if isinstance(line, StateLine))

    assert len(next(states).miniatures) >= 10
    assert is_live(job.source)
    assert not notices


def test_what_goes_wrong_in_a_camera_is_a_lost_source_that_names_it() -> None:
    camera = PluginCamera("mine://usb?token=secret", pictures)
    shots = camera.frames()

    assert [shot and shot.bgr().shape for shot in islice(shots, 2)] == [BLACK.shape, None]
    with pytest.raises(SourceLost, match=r"^mine://usb: its plug-in failed \(RuntimeError: no such port"):
        next(shots)


def test_a_picture_of_another_kind_is_named() -> None:
    with pytest.raises(SourceLost, match="of uint8"):
        next(PluginCamera("mine://usb", lambda _: iter([BLACK.astype(float)])).frames())


def test_a_camera_that_nobody_reads_any_more_is_asked_for_no_picture() -> None:
    camera = PluginCamera("mine://usb", lambda _: chain([BLACK], pictures("never")))
    shots = camera.frames()
    next(shots)
    camera.stop()

    assert list(shots) == []


def test_no_plugin_takes_the_addresses_of_streams(install: Install) -> None:
    install("rival", cameras={"rtsp": "tableside_example:open_pictures", "mine": "tableside_example:open_pictures"})

    assert set(load_plugins("tableside.cameras").loaded) == {"mine"}
    assert "rtsp" in TAKEN["tableside.cameras"]
    assert isinstance(opener_of("mine://0")(), PluginCamera)


def test_a_detector_that_fails_is_named_once_and_the_built_in_one_goes_on(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("broken", detectors={"blind": f"{__name__}:Blind"})
    built_in = partial(NetworkFinder, network=network_that_answers())
    monkeypatch.setattr("api.camera.plugin_detector.NetworkFinder", built_in)
    told: list[str] = []
    detector = PluginDetector("blind", tell=told.append)
    first, second = (detector(catalogue_of(), LAYOUT) for _ in range(2))

    assert [find(finder) for finder in (first, second, first)] == [()] * 3
    assert told == ["The detector blind failed (ZeroDivisionError: no light). The built-in one goes on."]


def find(finder: Finder) -> tuple[object, ...]:
    return finder.find(BLACK, camera=CAMERA, pose=POSE)


def test_a_detector_that_nobody_brings_is_told_before_the_table_is_served() -> None:
    load_plugins.cache_clear()
    with pytest.raises(BadInput, match="no detector 'other'"):
        known_detector("other")


def test_the_notice_is_one_for_the_players() -> None:
    told: list[Report] = []
    job = Job(source="0", camera=CAMERA, layout=LAYOUT, edition="warmachine-prime", detector="gone")
    load_plugins.cache_clear()
    find(tracker_of(job, told.append)._finder)

    assert isinstance(told[0], SourceNotice)
    assert "no detector 'gone'" in told[0].text
