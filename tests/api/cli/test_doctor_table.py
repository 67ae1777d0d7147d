"""`tableside doctor PICTURE`: two bases that touch, and two that only seem to."""

import json
from functools import cache
from pathlib import Path

import cv2
import pytest

from api.storage.files import save
from calibration.arrays import Image
from models.self_check import SelfCheck
from tests.api.cli.commands import Ended, run
from tests.vision import rendered

EYE = rendered.Eye(focal_px=870.0, middle_px=(484.3, 361.8))


@cache
def _picture(gap_mm: float) -> Image:
    """A base of 40 mm and one of 30 mm to its right."""
    bases = (
        rendered.Base((250.0, 180.0), 40.0, paint=rendered.BONE, rim=rendered.BLACK),
        rendered.Base((285.0 + gap_mm, 180.0), 30.0, seed=3),
    )
    return rendered.photograph(rendered.Scene(bases, eye=EYE))


def _run_check(folder: Path, *words: str, gap_mm: float = 0.0) -> Ended:
    save(EYE.camera(), folder / "camera.json")
    save(rendered.layout(), folder / "layout.json")
    cv2.imwrite(str(folder / "table.png"), _picture(gap_mm))
    known = ("--camera", folder / "camera.json", "--layout", folder / "layout.json", "--edition", "warmachine-prime")
    return run("doctor", folder / "table.png", *known, *words)


def test_two_bases_that_touch_are_as_far_apart_as_their_radii(tmp_path: Path) -> None:
    result = SelfCheck.model_validate_json(_run_check(tmp_path, "--json").out)
    (one,) = result.compared

    assert one.known_mm == 35.0
    assert one.measured_mm == pytest.approx(35.0, abs=0.6)
    assert result.is_fit


def test_the_lines_end_with_fit_to_judge(tmp_path: Path) -> None:
    done = _run_check(tmp_path)

    assert done.code == 0
    assert done.out.splitlines()[0].startswith("touching bases of ")
    assert done.out.splitlines()[-1] == "fit to judge"


def test_two_bases_that_stand_apart_are_nothing_to_compare(tmp_path: Path) -> None:
    told = json.loads(_run_check(tmp_path, "--json", gap_mm=9.0).out)

    assert (told["is_fit"], told["compared"]) == (False, [])
    assert "nothing to compare" in told["says"]


def test_a_length_between_a_card_and_itself_is_refused(tmp_path: Path) -> None:
    done = _run_check(tmp_path, "--distance", "20", "20", "100")

    assert (done.code, done.problem["field"]) == (2, "distance")


def test_a_picture_without_a_table_is_the_worlds_fault(tmp_path: Path) -> None:
    _run_check(tmp_path)
    cv2.imwrite(str(tmp_path / "dark.png"), _picture(0.0) // 50)
    known = ("--camera", tmp_path / "camera.json", "--layout", tmp_path / "layout.json")
    done = run("doctor", tmp_path / "dark.png", *known)

    assert (done.code, done.problem["type"]) == (3, "world/table_not_visible")
