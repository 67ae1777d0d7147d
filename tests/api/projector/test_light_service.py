"""The light of a table without a page or a camera: when it is dark, and what the camera's process hears of it."""

import asyncio
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from api.camera.protocol import CameraCommands, LightMarks, LightReport
from api.live.hub import Hub
from api.live.publisher import LightSeen
from api.projector import service
from api.projector.schemas import LightSettings, PageSize
from api.projector.service import FILE, LightService
from calibration.projector.projector_fit import Projector
from models.errors import BadInput
from tests.api.worlds import camera_commands, frame_report, skirmish, state_line
from tests.calibration.projector.light_scene import FULL_HD, lens, table_layout
from tests.calibration.scene import pose_towards

PROJECTOR = Projector(
    lens=lens(FULL_HD, throw=0.95, dist=(0.02, -0.004)),
    pose=pose_towards((950.0, -300.0, 2050.0), (914.0, 590.0, 0.0)),
    covariance=tuple(map(tuple, (1e-8 * np.eye(11)).tolist())),
    rms_mm=0.04,
    dots=230,
)
OFF, STILL, UNSEEN = LightReport(8.0), LightReport(0.4), LightReport(None)


class Lit:
    """A hub with a projector that was calibrated before."""

    def __init__(self, folder: Path) -> None:
        (folder / FILE).write_text(PROJECTOR.model_dump_json())
        self.commands: CameraCommands = camera_commands()
        self.hub = Hub(title="Table 4", commands=self.commands)
        self.hub.handle_report(frame_report(state_line(skirmish())))
        self.light = LightService(self.hub, table_layout(), folder=folder)

    def heard(self) -> LightMarks | None:
        """The newest that the camera's process was told of the light. Fails when it was told nothing."""
        return [self.commands.lights.get() for _ in range(self.commands.lights.qsize())][-1]

    def see(self, *reports: LightReport) -> str | None:
        for report in reports:
            self.hub.publisher.publish(LightSeen(report))
        return self.light.board().dark


@pytest.fixture
def lit(tmp_path: Path) -> Lit:
    return Lit(tmp_path)


def test_a_calibration_that_was_kept_is_known_again(lit: Lit) -> None:
    board = lit.light.board()

    assert board.projector == PROJECTOR
    assert board.dark is None
    assert board.sigma_mm > 0


def test_a_calibration_that_cannot_be_read_is_to_be_made_anew(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{")
    light = LightService(Hub(title="Table 4"), table_layout(), folder=tmp_path)

    assert light.board().dark == "uncalibrated"


def test_the_camera_looks_for_marks_only_while_a_page_shines(lit: Lit) -> None:
    lit.light.note_page(came=True)
    marks = lit.heard()
    assert marks is not None
    assert len(marks.places_mm) == 8
    assert lit.hub.source.freshness().is_lit

    lit.light.note_page(came=False)
    assert lit.heard() is None
    assert not lit.hub.source.freshness().is_lit


def test_freshness_keeps_that_a_projector_shines_from_frame_to_frame(lit: Lit) -> None:
    lit.light.note_page(came=True)
    lit.hub.handle_report(frame_report(t_s=2.0))

    assert lit.hub.source.freshness().is_lit


def test_one_key_makes_it_dark(lit: Lit) -> None:
    lit.light.note_page(came=True)
    lit.light.set_settings(LightSettings(is_black=True))

    assert lit.light.board().dark == "key"
    assert lit.heard() is None


@pytest.mark.parametrize(("is_wished", "dark"), [(True, "hand"), (False, None)])
def test_it_is_dark_under_a_hand_where_that_is_wished(lit: Lit, is_wished: bool, dark: str | None) -> None:
    lit.light.set_settings(LightSettings(off_under_hands=is_wished))
    lit.hub.handle_report(frame_report(hand=True))

    assert lit.light.board().dark == dark


@pytest.mark.parametrize("off", [OFF, UNSEEN])
def test_light_that_is_twice_elsewhere_goes_out_and_players_hear_of_it(lit: Lit, off: LightReport) -> None:
    """Once may be a hand."""
    lit.light.note_page(came=True)

    assert lit.see(off, STILL, off) is None
    assert lit.see(off) == "moved"
    assert lit.heard() is None


@pytest.mark.parametrize("level", [0.0, 0.04, 0.81, 1.0])
def test_the_brightness_has_limits(level: float) -> None:
    with pytest.raises(ValidationError):
        LightSettings(level=level)


def test_without_a_page_that_shows_the_dots_calibration_says_so_and_the_camera_measures_again(
    lit: Lit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_SHOWN_S", 0.01)
    with pytest.raises(BadInput, match="open /projector there"):
        asyncio.run(lit.light.calibrate(PageSize(width_px=1920, height_px=1080)))

    assert lit.heard() is None
    assert lit.light.board().pattern is None
    assert lit.light.board().projector == PROJECTOR
