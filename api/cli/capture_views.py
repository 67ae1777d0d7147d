"""Board views from a running camera, with a word on the next best view."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from models.board import CharucoBoard, ChessBoard, CircleBoard
from models.errors import BadInput

if TYPE_CHECKING:
    from calibration.arrays import Image
    from calibration.intrinsics.view_collector import ViewCollector
    from vision.capture.sources import Frame


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

    said = ""
    for frame in frames:
        step = collector.add_image(frame.image)
        height, width = frame.image.shape[:2]
        so_far = measure_coverage(collector.views, (width, height))
        doubt = "" if step.doubt_mm is None else f", {step.doubt_mm:.2f} mm in doubt over the table"
        line = (
            f"{so_far.views} views, {so_far.covered:.0%} of the picture, tilted to {so_far.leans} of 4 sides{doubt}:"
            f" {step.says}"
        )
        if line != said:
            yield line
        said = line
        if step.is_done:
            return


def _open_frames(source: str, size: tuple[int, int] | None) -> Iterator["Frame"]:
    from api.camera.live_source import is_live, live_frames
    from vision.capture.sources import read_frames

    if not is_live(source):
        return read_frames(Path(source))
    return live_frames(source, size=size)
