"""The table of other people's photographs: ours, published, the difference, and what either leaves on unseen views."""

from pathlib import Path

import numpy as np

from benchmarks.calibration import published_photographs, published_poses
from benchmarks.calibration.published_photographs import Album
from calibration.intrinsics.calibrate_camera import correct_centre_bias, select_simplest
from calibration.intrinsics.model_selection import ModelFit, fit_models

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
