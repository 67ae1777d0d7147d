"""`tableside calibrate`: a camera's lens from a printed board, and its pose over the table from fiducials."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from api.cli.capture_views import capture_views
from api.cli.profiles import Folder
from api.cli.tap_corners import tap_corners
from api.storage.camera_profiles import device_of, profiles_in
from api.storage.files import load, save, write_whole
from models.board import BoardFile
from models.camera import Camera, CameraPose
from models.errors import BadBoard, BadCamera, BadFile, BadInput, BadLayout
from models.layout import Layout

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.intrinsics.calibrate_camera import Calibration

command = typer.Typer(help="Find out where the camera looks.", no_args_is_help=True)

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON on stdout.")]


Board = Annotated[Path, typer.Option(help="The board's description, a JSON file.")]
Pictures = Annotated[list[Path] | None, typer.Argument(help="Pictures of the board, at least 4, better 15, tilted.")]
Live = Annotated[
    str | None,
    typer.Option(help="Take the views from this running source instead, and be told which are missing."),
]
Limit = Annotated[
    float, typer.Option(help="With --live: go on until the lens leaves less than this in doubt over the table.")
]
Table = Annotated[
    tuple[float, float], typer.Option(help="With --live: width and depth of the table in mm, seen from above.")
]


@command.command("camera")
def camera(
    board: Board,
    images: Pictures = None,
    live: Live = None,
    limit_mm: Limit = 0.15,
    table: Table = (1219.2, 1219.2),
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The camera file to write.")] = None,
    save_it: Annotated[bool, typer.Option("--save", help="Keep it as the profile of its device.")] = False,
    device: Annotated[
        str | None, typer.Option(help="Which device it is: its number, its stream's address, or a name you give it.")
    ] = None,
    profiles: Folder = None,
    as_json: Json = False,
) -> None:
    """The camera's lens from pictures of a printed board: ChArUco, chessboard or circles."""
    from calibration.intrinsics.calibrate_camera import (
        calibrate_camera,  # here, so that no other command waits for the picture library
    )

    if bool(images) == (live is not None):
        raise BadInput("give pictures of the board, or --live and a source", field="images", value=live)
    keep = _find_store(output, save_it=save_it, device=device or live, profiles=profiles)
    described = load(BoardFile, board, error=BadBoard)
    views: Iterable[tuple[str, Image]] = read_named_pictures(images or [])
    count = len(images or [])
    if live is not None:
        views = capture_views(live, described.board, table_mm=table, limit_mm=limit_mm, size=described.image_size)
        count = len(views)
    bar = progress_bar()
    with bar:
        task = bar.add_task("", total=count + 4)  # four lens models follow the pictures
        found = calibrate_camera(
            views,
            described.board,
            image_size=described.image_size,
            progress=lambda what: bar.update(task, advance=1, description=what),
        )
    keep(found.camera)
    print(json.dumps(_facts(found), ensure_ascii=False) if as_json else _describe(found))


def _find_store(
    output: Path | None, *, save_it: bool, device: str | None, profiles: Path | None
) -> Callable[[Camera], None]:
    """Where the camera will be kept. Raises: BadInput when nowhere, or for a device that nobody named."""
    if output is None and not save_it:
        raise BadInput("say where to keep the camera: -o FILE, --save, or both", field="output", value=None)
    if save_it and device is None:
        raise BadInput("--save keeps the camera for its device: name it with --device", field="device", value=None)

    def keep(camera: Camera) -> None:
        if output is not None:
            save(camera, output)
        if save_it and device is not None:
            profiles_in(profiles).save(camera, device=device_of(device))

    return keep


@command.command("table")
def table(
    image: Annotated[Path, typer.Argument(help="A picture of the table: two fiducials, or the mat's four corners.")],
    camera: Annotated[Path, typer.Option(help="The camera file.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The pose file to write.")],
    layout: Annotated[Path | None, typer.Option(help="The table's layout, a JSON file.")] = None,
    corners: Annotated[
        tuple[str, str, str, str] | None,
        typer.Option(help="The mat's corners in the picture: near left, near right, far right, far left, as x,y each."),
    ] = None,
    size_mm: Annotated[
        tuple[float, float] | None, typer.Option(help="Width and depth of the mat; absent: the layout's.")
    ] = None,
    heat: Annotated[Path | None, typer.Option("--map", help="Draw how surely places are known, as SVG.")] = None,
    as_json: Json = False,
) -> None:
    """Where the camera hangs over the table: from the fiducials around it, the mat's four corners, or both."""
    from api.corners.pose_from_taps import fit_pose, parse_point
    from api.corners.uncertainty_map import heat_map
    from api.storage.files import read_picture_for

    lens = load(Camera, camera, error=BadCamera)
    described = load(Layout, layout, error=BadLayout) if layout else None
    points = None if corners is None else [parse_point(one) for one in corners]
    tapped = fit_pose(
        read_picture_for(image, lens.image_size), camera=lens, layout=described, corners=points, size_mm=size_mm
    )
    drawn = heat_map(tapped.view) if heat else ""
    pose = tapped.view.pose
    save(pose, output)
    if heat:
        write_whole(heat, drawn)
    print(pose.model_dump_json() if as_json else "\n".join([_describe_pose(pose), *tapped.says]))


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    command.command("corners")(tap_corners)
    app.add_typer(command, name="calibrate")


def progress_bar() -> Progress:
    """A bar on a terminal's stderr, nothing elsewhere."""
    terminal = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    return Progress(*columns, console=terminal, disable=not terminal.is_terminal, transient=True)


def read_named_pictures(paths: Sequence[Path]) -> Iterator[tuple[str, "Image"]]:
    """Each picture under its file's name, in full when two files share one. Raises: BadFile for a file given twice."""
    from api.storage.files import read_picture

    if len({path.resolve() for path in paths}) < len(paths):
        twice = next(path for i, path in enumerate(paths) if path.resolve() in {p.resolve() for p in paths[:i]})
        raise BadFile(f"{twice} is given twice", field="images", value=str(twice))
    names = [path.name for path in paths]
    for path in paths:
        yield path.name if names.count(path.name) == 1 else str(path), read_picture(path)


def _facts(found: "Calibration") -> dict[str, object]:
    return {
        "camera": found.camera.model_dump(mode="json"),
        "rejected": [{"name": one.name, "why": one.why} for one in found.rejected],
        "heldout_px": found.heldout_px,
    }


def _describe(found: "Calibration") -> str:
    camera = found.camera
    sigma = np.sqrt(np.diag(camera.covariance))
    k = camera.K
    lines = [
        f"{camera.model} lens from {len(camera.views)} views",
        f"focal length {k[0][0]:.2f} x {k[1][1]:.2f} px (sigma {sigma[0]:.2f}, {sigma[1]:.2f})",
        f"centre {k[0][2]:.2f}, {k[1][2]:.2f} px (sigma {sigma[2]:.2f}, {sigma[3]:.2f})",
        f"residual {camera.rms_px:.3f} px; on unseen views {camera.heldout_px:.3f} px, {camera.heldout_mm:.3f} mm",
    ]
    return "\n".join(lines + [f"not used: {one.name}: {one.why}" for one in found.rejected])


def _describe_pose(pose: CameraPose) -> str:
    x, y, z = pose.centre_mm
    sigma = np.sqrt(np.diag(pose.covariance))
    lines = [
        f"camera at {x:.1f}, {y:.1f}, {z:.1f} mm, from {_name_evidence(pose)}",
        f"residual {pose.rms_px:.3f} px, {pose.rms_mm:.3f} mm on the table",
        f"turn known to {np.degrees(sigma[:3]).max():.3f} degrees",
    ]
    lines += [f"not used: fiducial {i}: two prints in sight have this id" for i in pose.twice]
    return "\n".join(lines + [f"not used: fiducial {i}: the layout does not hold it" for i in pose.strangers])


def _name_evidence(pose: CameraPose) -> str:
    """What the pose rests on."""
    named = f"fiducials {', '.join(map(str, pose.markers))}" if pose.markers else ""
    return " and ".join(part for part in (named, "the mat's corners" if pose.held_mm else "") if part)
