"""`tableside calibrate camera`: a camera's lens from pictures of a printed board, taken before or live."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from rich.console import Console

from api.cli.invocation import picture_bar, settings_of, wants_json
from api.storage.camera_profiles import device_of, profiles_in
from api.storage.files import load, read_bytes, read_named_pictures, save
from models.board import BoardFile, CharucoBoard, ChessBoard, CircleBoard
from models.errors import BadBoard, BadInput

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.intrinsics.calibrate_camera import Calibration
    from calibration.intrinsics.view_collector import ViewCollector
    from vision.capture.sources import Frame

_TABLE_MM = (1219.2, 1219.2)

BoardDescription = Annotated[Path, typer.Option("--board", help="The board's description, a JSON file.")]
Pictures = Annotated[list[Path] | None, typer.Argument(help="Pictures of the board, at least 4, better 15, tilted.")]
CameraOutput = Annotated[Path | None, typer.Option("-o", "--output", help="The camera file to write.")]
Device = Annotated[str | None, typer.Option(help="Keep the lens for it too: number, stream's address, or a name.")]
Live = Annotated[str | None, typer.Option(help="Take views from this running source; says which are missing.")]
Limit = Annotated[float, typer.Option(help="With --live: until the lens leaves less than this in doubt, mm.")]


def calibrate_lens(
    context: typer.Context,
    board: BoardDescription,
    images: Pictures = None,
    output: CameraOutput = None,
    device: Device = None,
    live: Live = None,
    limit_mm: Limit = 0.15,
) -> None:
    """The camera's lens from pictures of a printed board: ChArUco, chessboard or circles."""
    from calibration.intrinsics.calibrate_camera import calibrate_camera  # here: it loads the picture library

    if bool(images) == (live is not None):
        raise BadInput("give pictures of the board, or --live and a source", field="images", value=live)
    if output is None and device is None:
        raise BadInput("say where to keep the camera: -o FILE, --device NAME, or both", field="output", value=None)
    settings, described = settings_of(context), load(BoardFile, board, error=BadBoard)
    views: Iterable[tuple[str, Image]] = read_named_pictures(images or [])
    count = len(images or [])
    if live is not None:
        table_mm = settings.table_mm or _TABLE_MM
        views = capture_views(live, described.board, table_mm=table_mm, limit_mm=limit_mm, size=described.image_size)
        count = len(views)
    with (bar := picture_bar()):
        task = bar.add_task("", total=count + 4)  # four lens models follow the pictures
        calibration = calibrate_camera(
            views,
            described.board,
            image_size=described.image_size,
            progress=lambda name: bar.update(task, advance=1, description=name),
        )
    if output is not None:
        save(calibration.camera, output)
    if device is not None:
        profiles_in(settings.profiles).save(calibration.camera, device=device_of(device))
    print(json.dumps(_facts(calibration), ensure_ascii=False) if wants_json(context) else _describe(calibration))


def import_camera(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="camera_info of ROS, OpenCV's YAML, Kalibr's camchain or cameras.txt.")],
    output: CameraOutput = None,
    device: Device = None,
    name: Annotated[str | None, typer.Option(help="Which camera of several: cam1, or COLMAP's number.")] = None,
    size: Annotated[tuple[int, int] | None, typer.Option(help="Pixels of its pictures, where no file says so.")] = None,
) -> None:
    """A lens that ROS, OpenCV, Kalibr or COLMAP calibrated: its file becomes a camera file."""
    from calibration.intrinsics.foreign_cameras import ASSUMED, read_cameras

    if output is None and device is None:
        raise BadInput("say where to keep the camera: -o FILE, --device NAME, or both", field="output", value=None)
    cameras = read_cameras(read_bytes(file).decode("utf-8", "replace"), size=size)
    names = [camera.name for camera in cameras]
    if (name is None and len(cameras) > 1) or (name is not None and name not in names):
        raise BadInput(f"--name is one of {', '.join(names)}", field="name", value=name)
    chosen = cameras[0 if name is None else names.index(name)]
    if output is not None:
        save(chosen.camera, output)
    if device is not None:
        profiles_in(settings_of(context).profiles).save(chosen.camera, device=device_of(device))
    width, height = chosen.camera.image_size
    facts: dict[str, object] = {"format": chosen.format, "name": chosen.name, "model": chosen.camera.model}
    facts |= {"image_size": [width, height], "focal_px": chosen.camera.K[0][0], "assumed": ASSUMED}
    focal = f"focal length {chosen.camera.K[0][0]:.1f} px"
    says = f"{chosen.format}: {chosen.name}, {chosen.camera.model}, {width} x {height} px, {focal}"
    typer.echo(json.dumps(facts) if wants_json(context) else f"{says}\nassumed, as the file does not say: {ASSUMED}")


def capture_views(
    source: str,
    board: CharucoBoard | ChessBoard | CircleBoard,
    *,
    table_mm: tuple[float, float],
    limit_mm: float,
    size: tuple[int, int] | None,
) -> list[tuple[str, "Image"]]:
    """The pictures that were taken, when they tell the lens well enough, or when the source ended or Ctrl-C was hit.

    Raises: BadFile, SourceLost; BadInput when the source ended before the views could tell the lens.
    """
    from calibration.intrinsics.view_collector import ViewCollector

    collector = ViewCollector(board, table_mm=table_mm, limit_mm=limit_mm, must_be_still=not Path(source).is_dir())
    console = Console(stderr=True)
    try:
        with console.status("looking for the board") as status:
            for line in _progress_lines(_open_frames(source, size), collector):
                status.update(line)
                if not console.is_terminal:
                    console.print(line, highlight=False, soft_wrap=True)
    except KeyboardInterrupt:
        console.print("stopped by hand")
    if not collector.images:
        raise BadInput(f"{source}: the board was never seen, or never held still", field="live", value=source)
    return collector.images


def _progress_lines(frames: Iterator["Frame"], collector: "ViewCollector") -> Iterator[str]:
    """What to say, each time that it is something else."""
    from calibration.intrinsics.next_view import measure_coverage

    previous = ""
    for frame in frames:
        step = collector.add_image(frame.image)
        height, width = frame.image.shape[:2]
        coverage = measure_coverage(collector.views, (width, height))
        doubt = "" if step.doubt_mm is None else f", {step.doubt_mm:.2f} mm in doubt over the table"
        line = (
            f"{coverage.views} views, {coverage.covered:.0%} of the picture, tilted to {coverage.leans} of 4 sides"
            f"{doubt}: {step.says}"
        )
        if line != previous:
            yield line
        previous = line
        if step.is_done:
            return


def _open_frames(source: str, size: tuple[int, int] | None) -> Iterator["Frame"]:
    from api.camera.live_source import is_live, live_frames
    from vision.capture.sources import read_frames

    if not is_live(source):
        return read_frames(Path(source))
    return live_frames(source, size=size)


def _facts(calibration: "Calibration") -> dict[str, object]:
    return {
        "camera": calibration.camera.model_dump(mode="json"),
        "rejected": [{"name": view.name, "why": view.why} for view in calibration.rejected],
        "heldout_px": calibration.heldout_px,
    }


def _describe(calibration: "Calibration") -> str:
    camera = calibration.camera
    sigma = np.sqrt(np.diag(camera.covariance))
    k = camera.K
    lines = [
        f"{camera.model} lens from {len(camera.views)} views",
        f"focal length {k[0][0]:.2f} x {k[1][1]:.2f} px (sigma {sigma[0]:.2f}, {sigma[1]:.2f})",
        f"centre {k[0][2]:.2f}, {k[1][2]:.2f} px (sigma {sigma[2]:.2f}, {sigma[3]:.2f})",
        f"residual {camera.rms_px:.3f} px; on unseen views {camera.heldout_px:.3f} px, {camera.heldout_mm:.3f} mm",
    ]
    return "\n".join(lines + [f"not used: {view.name}: {view.why}" for view in calibration.rejected])
