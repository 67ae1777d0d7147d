"""`tableside setup PICTURES` as a user calls it, on drawn pictures of the printed pages."""

import io
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from api.cli.table_options import read_table_files
from calibration.pose.locate_table import locate_table
from models.camera import Camera
from models.layout import Layout
from tests.api.cli.commands import Ended, files_in, run
from tests.calibration.scene import pose_towards
from tests.calibration.setup.drawn_pages import draw_sweep
from tests.calibration.setup.drawn_sheets import draw_sheets, lay_sheets, taps_on
from tests.calibration.setup.sweeps import phone

PICTURES = 5


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five photographs of four pages around a table of 30 x 22 in, with EXIF."""
    folder = tmp_path_factory.mktemp("setup")
    for k, picture in enumerate(draw_sweep(pictures=PICTURES)):
        exif = Image.Exif()
        exif.get_ifd(0x8769)[0xA405] = 22
        Image.fromarray(picture).save(folder / f"{k}.jpg", exif=exif, quality=95)
    return folder


def _solve(home: Path, out: Path, *more: object, pictures: int = PICTURES) -> Ended:
    images = [home / f"{k}.jpg" for k in range(pictures)]
    return run("setup", *images, "-o", out, "--table", 762, 558.8, *more)


def test_pictures_become_files_that_a_table_is_found_with(home: Path, tmp_path: Path) -> None:
    ended = _solve(home, tmp_path / "my table", "--ruler-mm", 100, "--json")
    facts = json.loads(ended.out)
    camera = Camera.model_validate_json((tmp_path / "my table" / "camera.json").read_text())
    layout = Layout.model_validate_json((tmp_path / "my table" / "layout.json").read_text())
    pose = locate_table(cv2.imread(str(home / "0.jpg")), camera=camera, layout=layout)

    assert files_in(tmp_path / "my table") == {"camera.json", "layout.json", "doubt.svg", "tableside.toml"}
    assert pose.rms_px < 0.3
    assert facts["remarks"] == []
    assert facts["says"].startswith("Places on this table are good to ")
    assert 0 < facts["middle_mm"] < facts["corners_mm"] < 1.6


def test_a_tape_between_two_pages_takes_most_of_the_doubt_at_the_corners(home: Path, tmp_path: Path) -> None:
    plain, taped = (
        json.loads(_solve(home, tmp_path / name, *more, "--json").out)
        for name, more in (("plain", ()), ("taped", ("--tape", 1, 3, 944.9)))
    )

    assert taped["corners_mm"] < plain["corners_mm"] / 2
    assert taped["scale_sigma"] < 0.0015
    assert taped["table_mm"] == [762, 558.8]


def test_a_photograph_of_another_lens_is_named(home: Path, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = 13
    other = tmp_path / "wide.jpg"
    Image.open(home / "1.jpg").save(other, exif=exif)
    ended = run("setup", home / "0.jpg", other, "-o", tmp_path / "out")

    assert (ended.code, ended.problem["value"]) == (2, "wide.jpg")
    assert "wide.jpg was taken with 13 mm, 0.jpg with 22 mm" in ended.problem["detail"]
    assert not (tmp_path / "out").exists()


def test_a_cropped_photograph_is_named(home: Path, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif.get_ifd(0x8769).update({0xA002: 1600, 0xA003: 1200})
    Image.fromarray(np.zeros((500, 1500), np.uint8)).save(tmp_path / "cut.jpg", exif=exif)
    ended = run("setup", tmp_path / "cut.jpg", "-o", tmp_path / "out")

    assert (ended.code, ended.problem["value"]) == (2, "cut.jpg")
    assert "was cut after it was taken" in ended.problem["detail"]


def test_what_was_kept_is_not_lost_by_a_bad_try(home: Path, tmp_path: Path) -> None:
    assert _solve(home, tmp_path / "kept").code == 0
    before = (tmp_path / "kept" / "camera.json").read_bytes()
    out = io.BytesIO()
    Image.fromarray(np.full((1200, 1600), 90, np.uint8)).save(out, "PNG")
    (tmp_path / "blank.png").write_bytes(out.getvalue())
    ended = run("setup", tmp_path / "blank.png", "-o", tmp_path / "kept")

    assert (ended.code, ended.problem["field"]) == (2, "images")
    assert (tmp_path / "kept" / "camera.json").read_bytes() == before


def test_two_sheets_of_paper_make_a_camera_and_a_pose_that_locate_takes(tmp_path: Path) -> None:
    table = (762.0, 558.8)
    camera = phone(focal=850.0, size=(1280, 960), dist=(-0.05, 0.03, 0.0, 0.0, 0.0))
    pose = pose_towards([330.0, 200.0, 800.0], [381.0, 279.4, 0.0])
    laid = lay_sheets(table, seed=3)
    cv2.imwrite(str(tmp_path / "sheets.png"), draw_sheets(laid, camera, pose))
    taps = [f"{x:.1f},{y:.1f}" for x, y in taps_on(laid, camera, pose)]
    size = [f"{side:g}" for side in table]
    done = run("setup", tmp_path / "sheets.png", "-o", tmp_path / "out", "--table", *size, "--taps", *taps)

    assert "Places on this table are good to" in done.out
    kept = read_table_files(None, tmp_path / "out" / "pose.json")
    assert kept.layout.table_mm == pytest.approx(table)
