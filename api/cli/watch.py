"""`tableside watch`: a recording becomes a timeline, a line for each settled state and each event."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from api.cli.locate import DEFAULT_EDITION, PoseFile, sizes_of
from api.files import load, write_whole
from api.setups.counting import wanted_of
from api.setups.words import Roster
from api.whereabouts import whereabouts
from models.camera import Camera
from models.errors import BadCamera, BadInput, TableNotVisible
from models.words import EditionId

if TYPE_CHECKING:
    from vision.watching import Watcher


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("watch")
    def watch_recording(
        video: Annotated[Path, typer.Argument(help="A video file, or a folder of pictures.")],
        camera: Annotated[Path, typer.Option(help="CAM.json from `tableside calibrate camera`.")],
        output: Annotated[Path, typer.Option("-o", "--output", help="The timeline to write, JSON Lines.")],
        layout: Annotated[Path | None, typer.Option(help="LAYOUT.json: table size, fiducials, terrain.")] = None,
        pose: PoseFile = None,
        edition: Annotated[EditionId | None, typer.Option(help="Whose base sizes, and whose rules.")] = None,
        catalogue: Annotated[Path | None, typer.Option(help="Base sizes to look for instead.")] = None,
        expected: Annotated[
            Path | None,
            typer.Option(help="Who is expected, as put to `/api/v1/expected`: helps to know them again."),
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
    ) -> None:
        """Follow a recording: who moved where, who left, and the table's state whenever it has settled."""
        from vision.watching import Watcher

        place = whereabouts(layout, pose)
        watcher = Watcher(
            load(Camera, camera, error=BadCamera),
            place.layout,
            edition=edition or DEFAULT_EDITION,
            catalogue=sizes_of(edition, catalogue),
            start=place.pose,
        )
        if expected is not None:
            watcher.expect(wanted_of(load(Roster, expected, error=BadInput).expected))
        lines = list(_lines(video, watcher))
        if not any('"type":"state"' in line for line in lines):
            raise TableNotVisible("the table was never seen settled in this recording", field="video", value=str(video))
        write_whole(output, "".join(f"{line}\n" for line in lines))
        summary = {"lines": len(lines), "timeline": str(output)}
        typer.echo(json.dumps(summary) if as_json else f"{len(lines)} lines: {output}")


def _lines(video: Path, watcher: "Watcher") -> Iterator[str]:
    """Every line of the timeline, with a bar on a terminal. Nothing is written until all frames are read."""
    from vision.glitches import Glitches
    from vision.sources import frame_count, frames_of

    columns = (TextColumn("watching"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    glitches = Glitches()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=frame_count(video))
        for frame in frames_of(video):
            if glitches.passes(frame):
                for line in watcher.look(frame).lines:
                    yield line.model_dump_json(exclude_none=True)
            bar.advance(task)
