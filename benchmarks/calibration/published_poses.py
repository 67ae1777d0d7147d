"""Single photographs of other people with a published answer: where tags, corners, a camera and coins are.

The table of other people's photographs: ours, published, the difference, and what either leaves on unseen views.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks.calibration import published_boards, published_photographs, published_poses
from benchmarks.calibration.published_photographs import Album, read_boofcv_lens, reprojection_rms_px, to_grey
from calibration.arrays import Floats, Image
from calibration.image import find_edges
from calibration.intrinsics.board_detection import BoardView
from calibration.intrinsics.bundle_adjustment import adjust_bundle, estimate_poses
from calibration.intrinsics.calibrate_camera import correct_centre_bias, select_simplest
from calibration.intrinsics.model_selection import ModelFit, fit_models
from calibration.intrinsics.reprojection import Lens
from calibration.pose import marker_detection as markers

_FEWEST = 4


def compare(folder: Path) -> None:
    """Print everything that there is a published answer for, and what plain OpenCV says of the rest."""
    print("Lenses. `unseen`: RMS miss on views left out of the fit, px; OpenCV's on the same views and points.")
    print("`published`: what the published lens leaves on the same points, which it may have been fitted to.")
    print("`bowed`: what is left of our own misses when each sheet may bow, and by how much it then does.\n")
    print(
        f"{'set':24} {'views':>8} {'lens':9} {'f ours':>15} {'sigma':>6} {'f published':>15} {'difference':>13}"
        f" {'unseen':>7} {'OpenCV':>7} {'published':>9} {'own':>6} {'bowed':>6}"
    )
    for album in published_photographs.read_albums(folder):
        print(_row(album))
    print("\nSingle pictures")
    _print_photographs(folder)


def _row(album: Album) -> str:
    head = f"{album.name:24} {len(album.views):3d} / {album.pictures:2d}"
    if len(album.views) < _FEWEST:
        assert album.published is not None
        px = published_photographs.reprojection_rms_px(album.published, album.views)
        return f"{head} too few views for a lens of ours; the published one leaves {px:.3f} px on their corners"
    best = select_simplest(fit_models(album.views, album.size, lambda _: None))
    if album.dot_mm:  # the middle of a dot's picture is not the picture of its middle
        for _ in range(2):
            best = select_simplest(
                fit_models(
                    correct_centre_bias(album.views, best.whole, diameter_mm=album.dot_mm), album.size, lambda _: None
                )
            )
    usual = published_photographs.opencv_heldout_px(album, fisheye=best.model == "fisheye")
    published = (
        ""
        if album.published is None
        else f"{published_photographs.reprojection_rms_px(album.published, album.views):.3f}"
    )
    own = float(np.sqrt(np.mean(np.sum(np.concatenate(best.whole.misses_px) ** 2, axis=1))))
    left, bow_mm = published_photographs.fit_bowed_sheets(album, best.whole)
    return (
        f"{head} {best.model:9} {_focal(album, best)} {best.heldout_px:7.3f} {usual:7.3f} {published:>9} {own:6.3f}"
        f" {left:6.3f} by {bow_mm:.1f} mm"
    )


def _focal(album: Album, best: ModelFit) -> str:
    fx, fy = best.whole.lens.values[:2]
    sigma = float(np.sqrt(best.covariance[0, 0]))
    ours = f"{fx:7.2f} {fy:7.2f} {sigma:6.2f}"
    if album.published_focal is None:
        return f"{ours} {'none':>15} {'':13}"
    px, py = album.published_focal
    return f"{ours} {px:7.2f} {py:7.2f} {fx - px:+6.2f} {fy - py:+6.2f}"


def _print_photographs(folder: Path) -> None:
    count, off = published_photographs.check_charuco(folder)
    print(f"opencv-charuco           {count} corners, published 24; {off:.3f} px under the published lens")
    for name, listed, detected, aside, scatter in published_poses.compare_apriltags(folder):
        print(
            f"apriltag/{name[:8]}        {detected} of {listed} published tags found; corners"
            f" {aside[0]:+.2f} {aside[1]:+.2f} px aside (-0.50 -0.50 by how they count pixels), scatter {scatter:.2f}"
        )
    for name, dots, off in published_poses.check_hexagon_stills(folder):
        print(f"pose/boofcv-circle-hex   {name}: {dots} dots, published 15; {off:.3f} px under the published lens")
    sick = published_poses.compare_reprojection(folder)
    print(
        f"pose/sick                {sick.corners} corners of 16 mm squares: {sick.ours_mm:.3f} mm off by our pose,"
        f" {sick.published_mm:.3f} through the published; cameras {sick.centre_apart_mm:.2f} mm and"
        f" {sick.turn_apart_deg:.3f} degrees apart"
    )
    for name, true, ours, plain in published_poses.measure_coins(folder):
        print(
            f"coins/sick               {name} {true:.2f} mm: measured {ours:.2f} ({ours - true:+.2f}); by a plain"
            f" homography {plain:.2f} ({plain - true:+.2f})"
        )


SICK_SQUARE_MM = 166 / 11
WORLD_SQUARE_MM = 16.0  # the published camera puts the corners on multiples of it
COINS_MM = {"50c": 24.25, "10c": 19.75}


def compare_apriltags(folder: Path) -> Iterator[tuple[str, int, int, Floats, float]]:
    """Of each photograph: published tags, those that we find, by how much their corners lie aside (mean, px), and how
    much they scatter around that (RMS, px)."""
    for listed in sorted((folder / "calibration" / "apriltag").glob("*.txt")):
        lines = [list(map(float, re.findall(r"[\d.]+", line))) for line in listed.read_text().splitlines() if line]
        published = [np.array(line[1:9]).reshape(4, 2) for line in lines]
        image = to_grey(np.asarray(cv2.imread(str(listed.with_suffix(".jpg"))), np.uint8))
        ours = [corners for _, corners in markers.detect_dictionary(image, name="APRILTAG_36h11")]
        near = [off for theirs in published if np.abs(off := _distances_px(ours, theirs)).mean() < 4]
        off = np.concatenate(near) if near else np.full((1, 2), np.nan)
        yield listed.stem, len(published), len(near), off.mean(axis=0), _rms(off - off.mean(axis=0))


def _distances_px(ours: list[Floats], theirs: Floats) -> Floats:
    """From the published corners to the nearest of ours, in whichever order they were listed."""
    orders = [np.roll(order, turn, axis=0) for order in (theirs, theirs[::-1]) for turn in range(4)]
    return min((ids - order for ids in ours for order in orders), key=lambda off: float(np.abs(off).mean()))


def check_hexagon_stills(folder: Path) -> Iterator[tuple[str, int, float]]:
    """Two stills of 15 dots: how many are found, and what the published lens leaves of them (px)."""
    home = folder / "pose" / "boofcv-circle-hex"
    lens = read_boofcv_lens(home / "intrinsic.yaml")
    for path in sorted(home.glob("*.jpg")):
        view = published_boards.find_dots(path.name, _read(path))
        if view is not None:
            yield path.name, len(view.points_mm), reprojection_rms_px(lens, [view])


@dataclass(frozen=True)
class Reprojection:
    """A camera over a board: how far (RMS, mm) the corners lie from where they are, through the published pose and
    through ours, and how far the two put the camera apart."""

    corners: int
    published_mm: float
    ours_mm: float
    centre_apart_mm: float
    turn_apart_deg: float


def compare_reprojection(folder: Path) -> Reprojection:
    """SICK's published camera over a board of 16 mm squares, against a pose that we find through the same lens."""
    home = folder / "pose" / "sick-point-reprojection"
    model = json.loads((home / "model.json").read_text())["data"]
    k, view = np.array(model["IntrinsicK"]), np.array(model["WorldToView"])
    bent = np.ravel(model["WorldToSensorDistortion"])[:4]
    lens = Lens(np.array([k[0, 0], k[1, 1], k[0, 2], k[1, 2], *bent]), np.zeros(8, np.bool_))
    seen, _ = _lattice(_read(home / "pose.bmp"))
    on_table = _cast_to_ground(lens, view[:3, :3], view[:3, 3], seen)
    true = WORLD_SQUARE_MM * np.round(on_table / WORLD_SQUARE_MM)
    places = estimate_poses([BoardView("", np.pad(true, ((0, 0), (0, 1))), seen)], lens)
    assert places is not None
    rotation, shift = places.rotations[0], places.translations_mm[0]
    centres = [-r.T @ t for r, t in ((view[:3, :3], view[:3, 3]), (rotation, shift))]
    turn = np.linalg.norm(cv2.Rodrigues(rotation @ view[:3, :3].T)[0])
    return Reprojection(
        len(seen),
        _rms(on_table - true),
        _rms(_cast_to_ground(lens, rotation, shift, seen) - true),
        float(np.linalg.norm(centres[0] - centres[1])),
        float(np.degrees(turn)),
    )


def _cast_to_ground(lens: Lens, rotation: Floats, shift: Floats, seen: Floats) -> Floats:
    centre, ways = -rotation.T @ shift, lens.rays(seen) @ rotation
    return np.asarray(centre[:2] - (centre[2] / ways[:, 2])[:, None] * ways[:, :2])


def measure_coins(folder: Path) -> Iterator[tuple[str, float, float, float]]:
    """Coins on a plane that one picture of a board showed: name, true diameter, measured through a lens with one radial
    term that the same picture gave, and measured by a plain homography; mm."""
    home = folder / "coins" / "sick-calibrated"
    board = _sick_board(_read(home / "pose.bmp"))
    plane, _ = cv2.findHomography(board.seen_px, board.points_mm[:, :2])
    solution = adjust_bundle([board], _initial_lens(), rounds=2)
    assert solution is not None
    image = _read(home / "coins.bmp")
    _, dark = cv2.threshold(image, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    rims, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outlines = [
        _refine_rim(image, rim) for contour in rims if _is_coin(rim := np.asarray(contour, np.float64).reshape(-1, 2))
    ]
    rotation, shift = solution.places.rotations[0], solution.places.translations_mm[0]
    bent = [_round_mm(_cast_to_ground(solution.lens, rotation, shift, outline)) for outline in outlines]
    plain = [_round_mm(_warp(outline, np.asarray(plane))) for outline in outlines]
    names = ["10c", "10c", "50c"]
    yield from (
        (name, COINS_MM[name], ours, usual)
        for name, (ours, usual) in zip(names, sorted(zip(bent, plain, strict=True)), strict=False)
    )


def _sick_board(image: Image) -> BoardView:
    corners, cells = _lattice(image)
    return BoardView("", np.pad(cells * SICK_SQUARE_MM, ((0, 0), (0, 1))), corners)


def _initial_lens() -> Lens:
    """A lens whose axis meets the middle of the picture; its focal lengths and one radial term are to be found."""
    free = np.array([1, 1, 0, 0, 1, 0, 0, 0], np.bool_)
    return Lens(np.array([1500.0, 1500.0, 511.5, 511.5, 0, 0, 0, 0]), free)


def _is_coin(rim: Floats) -> bool:
    if len(rim) < 100:
        return False
    _, (width, height), _ = cv2.fitEllipse(rim.astype(np.float32))
    return max(width, height) < 1.4 * min(width, height) and 60 < width < 200


def _refine_rim(image: Image, rim: Floats) -> Floats:
    """The rim where the light has fallen half-way from the paper to the coin."""
    middle, axes, turn_deg = cv2.fitEllipse(rim.astype(np.float32))
    angle, turn = np.linspace(0, 2 * np.pi, 240, endpoint=False), np.radians(turn_deg)
    across = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    half = np.array(axes) / 2
    spots = np.stack([half[0] * np.cos(angle), half[1] * np.sin(angle)], axis=1) @ across.T + middle
    inward = -np.stack([np.cos(angle) / half[0], np.sin(angle) / half[1]], axis=1) @ across.T
    inward /= np.linalg.norm(inward, axis=1, keepdims=True)
    off = find_edges(image, spots, inward, reach_px=8.0).offset_px
    good = np.isfinite(off)
    return np.asarray((spots + off[:, None] * inward)[good])


def _round_mm(points: Floats) -> float:
    """The diameter of the circle through most of these points."""
    trust = np.ones(len(points))
    for _ in range(8):
        rows = np.column_stack([2 * points, np.ones(len(points))])
        x, y, rest = np.linalg.lstsq(rows * trust[:, None], trust * np.sum(points**2, axis=1), rcond=None)[0]
        radius = np.sqrt(rest + x * x + y * y)
        off = np.linalg.norm(points - [x, y], axis=1) - radius
        trust = (np.abs(off) < max(2.5 * 1.48 * np.median(np.abs(off)), 0.02)).astype(np.float64)
    return 2 * float(radius)


def _lattice(image: Image) -> tuple[Floats, Floats]:
    """All inner corners of a chessboard that fills the picture, (N, 2) px, and their cells, (N, 2)."""
    flags = cv2.CALIB_CB_LARGER | cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_ACCURACY
    _, corners, meta = cv2.findChessboardCornersSBWithMeta(image, (4, 4), flags)
    rows, columns = meta.shape
    y, x = np.divmod(np.arange(rows * columns, dtype=np.float64), columns)
    return np.asarray(corners, np.float64).reshape(-1, 2), np.stack([x, y], axis=1)


def _warp(points: Floats, plane: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points[None], plane)[0], np.float64)


def _read(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), np.uint8)


def _rms(off: Floats) -> float:
    return float(np.sqrt(np.mean(np.sum(off**2, axis=-1))))
