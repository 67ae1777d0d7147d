"""`tableside locate`: a picture in, a state out, and a named problem when something is wrong."""

import json
import math
import struct
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.arrays import Image
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.state import TableState
from tests.api.cli.commands import Ended, files_in, run
from tests.vision import rendered

SCENE = rendered.Scene(
    (
        rendered.Base((150.0, 140.0), 40.0, 60.0, "front-half", paint=rendered.WHITE),
        rendered.Base((420.0, 230.0), 30.0, seed=2),
    )
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of a table, and the files that describe its camera and its layout."""
    folder = tmp_path_factory.mktemp("table")
    cv2.imwrite(str(folder / "table.png"), rendered.photograph(SCENE))
    (folder / "camera.json").write_text(SCENE.eye.camera().model_dump_json())
    (folder / "layout.json").write_text(rendered.layout().model_dump_json(exclude_none=True))
    return folder


def _locate(folder: Path, output: Path, **other: object) -> Ended:
    """The command with the folder's files; name those that shall be others."""
    files = {name: folder / f"{name}.json" for name in ("camera", "layout")} | other
    image = files.pop("image", folder / "table.png")
    options = [word for name, value in files.items() for word in (f"--{name}", value)]
    return run("locate", image, *options, "-o", output)


def test_the_state_that_is_written_is_a_state_of_the_table(folder: Path, tmp_path: Path) -> None:
    ended = _locate(folder, tmp_path / "state.json")
    state = TableState.model_validate_json((tmp_path / "state.json").read_bytes())

    assert (ended.code, ended.err) == (0, "")
    assert len(state.miniatures) == 2
    for base in SCENE.bases:
        assert min(math.dist(one.at_mm, base.at_mm) for one in state.miniatures) < 0.5


def test_with_json_the_state_is_printed_too(folder: Path, tmp_path: Path) -> None:
    files = ("--camera", folder / "camera.json", "--layout", folder / "layout.json", "--json")
    ended = run("locate", folder / "table.png", *files, "-o", tmp_path / "state.json")

    assert json.loads(ended.out) == json.loads((tmp_path / "state.json").read_text())


def test_a_catalogue_file_says_which_sizes_there_are(folder: Path, tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue.json"
    catalogue.write_text('{"bases": [{"shape": "round", "diameter_mm": 30}]}')
    ended = _locate(folder, tmp_path / "state.json", catalogue=catalogue)
    state = TableState.model_validate_json((tmp_path / "state.json").read_bytes())

    assert ended.code == 0
    assert {one.base.model_dump()["diameter_mm"] for one in state.miniatures} == {30.0}


def test_an_edition_says_whose_state_it_is(folder: Path, tmp_path: Path) -> None:
    _locate(folder, tmp_path / "state.json", edition="hordes-mk2")

    assert TableState.model_validate_json((tmp_path / "state.json").read_bytes()).edition == "hordes-mk2"


def test_a_picture_without_fiducials_ends_with_3_and_names_them(folder: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "bare.png"), rendered.photograph(rendered.Scene(has_fiducials=False)))
    ended = _locate(folder, tmp_path / "state.json", image=tmp_path / "bare.png")

    assert ended.code == 3
    assert (ended.problem["seen"], ended.problem["missing"]) == ([], [0, 1, 2, 3])
    assert files_in(tmp_path) == {"bare.png"}


def test_a_table_without_fiducials_is_measured_from_a_pose(tmp_path: Path, folder: Path) -> None:
    cv2.imwrite(str(tmp_path / "bare.png"), rendered.photograph(replace(SCENE, has_fiducials=False)))
    wide, deep = rendered.layout().table_mm
    held = [(0, 0, 0), (wide, 0, 0), (wide, deep, 0), (0, deep, 0)]
    pose = CameraPose.model_validate(SCENE.eye.pose().model_dump() | {"held_mm": held})
    (tmp_path / "pose.json").write_text(pose.model_dump_json())
    files = ("--camera", folder / "camera.json", "--pose", tmp_path / "pose.json")
    ended = run("locate", tmp_path / "bare.png", *files, "-o", tmp_path / "state.json")
    state = TableState.model_validate_json((tmp_path / "state.json").read_bytes())

    assert ended.code == 0
    assert "none of the table's 4 sides in sight shows an edge" in ended.err  # its mat has none here
    for base in SCENE.bases:
        assert min(math.dist(one.at_mm, base.at_mm) for one in state.miniatures) < 0.5


def test_a_text_is_no_picture(folder: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.jpg"
    text.write_text("once upon a time")
    ended = _locate(folder, tmp_path / "state.json", image=text)

    assert ended.code == 2
    assert (ended.problem["field"], ended.problem["value"]) == ("file", str(text))
    assert files_in(tmp_path) == {"text.jpg"}


def test_a_cut_off_picture_is_refused(folder: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.png"
    cut.write_bytes((folder / "table.png").read_bytes()[:-5000])
    ended = _locate(folder, tmp_path / "state.json", image=cut)

    assert (ended.code, ended.problem["value"]) == (2, str(cut))
    assert files_in(tmp_path) == {"cut.png"}


def test_a_picture_that_is_not_there_is_named(folder: Path, tmp_path: Path) -> None:
    ended = _locate(folder, tmp_path / "state.json", image=tmp_path / "missing.jpg")

    assert (ended.code, ended.problem["value"]) == (2, str(tmp_path / "missing.jpg"))
    assert files_in(tmp_path) == set()


def test_a_picture_of_another_size_names_both_sizes(folder: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "small.png"), rendered.photograph(SCENE)[::2, ::2])
    ended = _locate(folder, tmp_path / "state.json", image=tmp_path / "small.png")

    assert ended.code == 2
    assert (ended.problem["field"], ended.problem["value"]) == ("image_size", [480, 360])
    assert ended.problem["calibrated"] == [960, 720]
    assert files_in(tmp_path) == {"small.png"}


def test_an_unknown_field_of_the_camera_is_named(folder: Path, tmp_path: Path) -> None:
    camera = tmp_path / "camera.json"
    camera.write_text(json.dumps(json.loads((folder / "camera.json").read_text()) | {"zoom": 2}))
    ended = _locate(folder, tmp_path / "state.json", camera=camera)

    assert ended.code == 2
    assert (ended.problem["type"], ended.problem["field"], ended.problem["value"]) == ("camera/invalid", "zoom", 2)
    assert files_in(tmp_path) == {"camera.json"}


def test_a_missing_field_of_the_camera_is_named(folder: Path, tmp_path: Path) -> None:
    camera = tmp_path / "camera.json"
    whole = json.loads((folder / "camera.json").read_text())
    camera.write_text(json.dumps({name: value for name, value in whole.items() if name != "dist"}))
    ended = _locate(folder, tmp_path / "state.json", camera=camera)

    assert (ended.code, ended.problem["field"]) == (2, "dist")


def test_a_wrong_value_in_the_layout_is_named(folder: Path, tmp_path: Path) -> None:
    layout = tmp_path / "layout.json"
    layout.write_text(json.dumps(json.loads((folder / "layout.json").read_text()) | {"table_mm": [600, -4]}))
    ended = _locate(folder, tmp_path / "state.json", layout=layout)

    assert ended.code == 2
    assert (ended.problem["type"], ended.problem["field"], ended.problem["value"]) == (
        "layout/invalid",
        "table_mm.1",
        -4,
    )


def test_a_catalogue_without_sizes_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "catalogue.json").write_text('{"bases": []}')
    ended = _locate(folder, tmp_path / "state.json", catalogue=tmp_path / "catalogue.json")

    assert (ended.code, ended.problem["field"]) == (2, "bases")
    assert files_in(tmp_path) == {"catalogue.json"}


def test_an_edition_that_nobody_knows_is_named(folder: Path, tmp_path: Path) -> None:
    ended = _locate(folder, tmp_path / "state.json", edition="chess")

    assert (ended.code, ended.problem["field"]) == (2, "edition")
    assert "chess" in ended.problem["detail"]


def test_a_place_where_nothing_can_be_written_is_named(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "nowhere" / "state.json"
    ended = _locate(folder, output)

    assert (ended.code, ended.problem["field"], ended.problem["value"]) == (2, "output", str(output))


def test_a_state_that_was_there_survives_a_picture_that_shows_no_table(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text("what was there")
    cv2.imwrite(str(tmp_path / "bare.png"), rendered.photograph(rendered.Scene(has_fiducials=False)))
    _locate(folder, tmp_path / "state.json", image=tmp_path / "bare.png")

    assert (tmp_path / "state.json").read_text() == "what was there"


def test_the_files_that_these_tests_give_are_whole(folder: Path) -> None:
    """A mistake in them would make every refusal above a wrong one."""
    assert Camera.model_validate_json((folder / "camera.json").read_bytes()) == SCENE.eye.camera()
    assert Layout.model_validate_json((folder / "layout.json").read_bytes()) == rendered.layout()


def test_without_a_camera_what_is_missing_is_named(folder: Path, tmp_path: Path) -> None:
    ended = run("locate", folder / "table.png", "--layout", folder / "layout.json", "-o", tmp_path / "state.json")

    assert (ended.code, ended.problem["field"]) == (2, "camera")
    assert files_in(tmp_path) == set()


def test_on_a_free_plane_sizes_stand_for_camera_and_layout_and_that_is_said(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue.json"
    catalogue.write_text('{"bases": [{"shape": "round", "diameter_mm": 30}, {"shape": "round", "diameter_mm": 40}]}')
    cv2.imwrite(str(tmp_path / "bare.png"), rendered.photograph(replace(SCENE, has_fiducials=False)))
    files = ("--free-plane", "--catalogue", catalogue, "-o", tmp_path / "state.json")
    ended = run("locate", tmp_path / "bare.png", *files)
    state = TableState.model_validate_json((tmp_path / "state.json").read_bytes())
    sizes = sorted(one.base.model_dump()["diameter_mm"] for one in state.miniatures)

    assert ended.code == 0
    assert "solved from the catalogue's sizes" in ended.err
    assert sizes == [30.0, 40.0]
    assert math.dist(*(one.at_mm for one in state.miniatures)) == pytest.approx(
        math.dist(*(base.at_mm for base in SCENE.bases)), rel=0.02
    )


def test_on_a_free_plane_no_layout_is_taken(folder: Path, tmp_path: Path) -> None:
    files = ("--free-plane", "--layout", folder / "layout.json", "-o", tmp_path / "state.json")
    ended = run("locate", folder / "table.png", *files)

    assert (ended.code, ended.problem["field"]) == (2, "layout")
    assert files_in(tmp_path) == set()


@pytest.mark.parametrize("kind", ["sixteen bits", "grey", "rotated by its tag"])
def test_other_kinds_of_pictures_are_the_same_table(folder: Path, tmp_path: Path, kind: str) -> None:
    image = tmp_path / "other.png"
    image.write_bytes(_as_other_kind(rendered.photograph(SCENE), kind))
    ended = _locate(folder, tmp_path / "state.json", image=image)
    state = TableState.model_validate_json((tmp_path / "state.json").read_bytes())

    assert (ended.code, ended.err) == (0, "")
    for base in SCENE.bases:
        assert min(math.dist(one.at_mm, base.at_mm) for one in state.miniatures) < 0.6


def _as_other_kind(picture: Image, kind: str) -> bytes:
    if kind == "sixteen bits":
        return cv2.imencode(".png", picture.astype(np.uint16) * 257)[1].tobytes()
    if kind == "grey":
        return cv2.imencode(".png", cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))[1].tobytes()
    turned = cv2.imencode(".jpg", cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE), [cv2.IMWRITE_JPEG_QUALITY, 98])
    return _held(turned[1].tobytes(), orientation=6)


def _held(jpeg: bytes, *, orientation: int) -> bytes:
    """The picture with a tag that says how the camera was held: six is a quarter turn clockwise to be upright."""
    tiff = b"MM\x00\x2a\x00\x00\x00\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    tag = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(tag) + 2) + tag + jpeg[2:]


@pytest.mark.parametrize("share", [0.02, 30.0], ids=["black", "white"])
def test_a_picture_too_dark_or_too_bright_ends_with_3(folder: Path, tmp_path: Path, share: float) -> None:
    picture = np.clip(rendered.photograph(SCENE).astype(np.float32) * share, 0, 255).astype(np.uint8)
    cv2.imwrite(str(tmp_path / "lost.png"), picture)
    ended = _locate(folder, tmp_path / "state.json", image=tmp_path / "lost.png")

    assert ended.code == 3
    assert files_in(tmp_path) == {"lost.png"}


def test_a_tiny_picture_is_none_of_this_camera(folder: Path, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "tiny.png"), np.zeros((2, 3, 3), np.uint8))
    ended = _locate(folder, tmp_path / "state.json", image=tmp_path / "tiny.png")

    assert (ended.code, ended.problem["field"]) == (2, "image_size")


def test_proposals_are_written_when_they_are_asked_for_and_are_no_terrain(folder: Path, tmp_path: Path) -> None:
    token = rendered.Base((300.0, 80.0), 36.0, make=rendered.Make(1.5, 0.0, 0.0), rim=rendered.BONE, is_bare=True)
    cv2.imwrite(str(tmp_path / "seen.png"), rendered.photograph(replace(SCENE, bases=(*SCENE.bases, token))))
    files = ("--camera", folder / "camera.json", "--layout", folder / "layout.json", "--propose")
    ended = run("locate", tmp_path / "seen.png", *files, "-o", tmp_path / "state.json")
    state = TableState.model_validate_json((tmp_path / "state.json").read_bytes())

    assert ended.code == 0
    assert [one.what for one in state.proposals] == ["token"]
    assert (len(state.miniatures), state.terrain) == (2, ())


@pytest.mark.parametrize("soft_px", [2.2, 3.0])
def test_a_blurred_picture_ends_with_3_and_is_no_half_table(folder: Path, tmp_path: Path, soft_px: float) -> None:
    """Its fiducials are still found, and bases would be missed."""
    cv2.imwrite(str(tmp_path / "soft.png"), cv2.GaussianBlur(rendered.photograph(SCENE), (0, 0), soft_px))
    ended = _locate(folder, tmp_path / "state.json", image=tmp_path / "soft.png")

    assert (ended.code, ended.problem["field"]) == (3, "picture")
    assert ended.problem["type"].endswith("too_blurred")
    assert files_in(tmp_path) == {"soft.png"}


@pytest.mark.parametrize("change", ["soft", "dim", "bright", "noisy"])
def test_a_poor_picture_still_shows_every_base(folder: Path, tmp_path: Path, change: str) -> None:
    cv2.imwrite(str(tmp_path / "poor.png"), _poor(rendered.photograph(SCENE), change))
    ended = _locate(folder, tmp_path / "state.json", image=tmp_path / "poor.png")
    state = TableState.model_validate_json((tmp_path / "state.json").read_bytes())

    assert (ended.code, len(state.miniatures)) == (0, len(SCENE.bases))
    for base in SCENE.bases:
        assert min(math.dist(one.at_mm, base.at_mm) for one in state.miniatures) < 0.9


def _poor(picture: Image, change: str) -> Image:
    if change == "soft":
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.5), np.uint8)
    if change == "noisy":
        noise = np.random.default_rng(4).normal(0, 20, picture.shape)
        return np.clip(picture + noise, 0, 255).astype(np.uint8)
    return np.clip(picture.astype(np.float32) * (0.2 if change == "dim" else 2.2), 0, 255).astype(np.uint8)


def test_hints_put_a_base_where_somebody_sees_one(folder: Path, tmp_path: Path) -> None:
    hints = [
        {"at_mm": [300, 320], "base": {"shape": "round", "diameter_mm": 50}},
        {"at_mm": [420, 230], "is_base": False},
    ]
    (tmp_path / "hints.json").write_text(json.dumps(hints))
    ended = _locate(folder, tmp_path / "state.json", hints=tmp_path / "hints.json")
    state = TableState.model_validate_json((tmp_path / "state.json").read_bytes())

    assert ended.code == 0
    assert (
        "table.png: no rim that fits shows where a base was told, so it stands there by hand: 300, 320 mm" in ended.err
    )
    placed = {(one.base.diameter_mm, one.placement) for one in state.miniatures if one.base.shape == "round"}
    assert placed == {(40.0, None), (50.0, "by-hand")}


@pytest.mark.parametrize(
    ("hints", "field"),
    [
        ([{"at_mm": [300, 320]}] * 1001, ""),
        ([{"at_mm": [300, 320]}, {"at_px": [-7, 2]}], "1.at_px"),
        ([{"at_mm": [300, 320]}, {"at_mm": [300.2, 320]}], "1.at_mm"),
    ],
    ids=["a thousand", "off the picture", "a base upon a base"],
)
def test_hints_that_no_table_holds_are_refused(
    folder: Path, tmp_path: Path, hints: list[dict[str, object]], field: str
) -> None:
    (tmp_path / "hints.json").write_text(json.dumps(hints))
    ended = _locate(folder, tmp_path / "state.json", hints=tmp_path / "hints.json")

    assert (ended.code, json.loads(ended.err)["field"]) == (2, field)
    assert not (tmp_path / "state.json").exists()


@pytest.mark.parametrize(
    ("hint", "field"),
    [
        ({"at_mm": [300, 320], "at_px": [1, 2]}, "0"),
        ({"at_mm": [300, 320], "base": {"shape": "round"}}, "0.base.round.diameter_mm"),
        ({"at_mm": [9000, 320]}, "0.at_mm"),
    ],
)
def test_a_bad_hint_is_named_and_nothing_is_written(
    folder: Path, tmp_path: Path, hint: dict[str, object], field: str
) -> None:
    (tmp_path / "hints.json").write_text(json.dumps([hint]))
    ended = _locate(folder, tmp_path / "state.json", hints=tmp_path / "hints.json")

    assert ended.code == 2
    assert json.loads(ended.err)["field"] == field
    assert not (tmp_path / "state.json").exists()
