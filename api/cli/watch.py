"""`tableside watch`: a recording becomes a timeline, a line for each settled state and each event."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from api.cli.edition_option import EditionChoice, read_edition
from api.cli.locate import DEFAULT_EDITION, Edition, PoseFile, sizes_of
from api.cli.table_files import read_table_files
from api.live.expected_bases import count_expected
from api.setups.schemas import Roster
from api.storage.files import load, write_whole
from models.camera import Camera
from models.errors import BadCamera, BadInput, TableNotVisible
from models.timeline import StateLine, TimelineLine

if TYPE_CHECKING:
    from vision.tracking.tracker import Tracker


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""

    @app.command("watch")
    def watch_recording(
        video: Annotated[Path, typer.Argument(help="A video file, or a folder of pictures.")],
        camera: Annotated[Path, typer.Option(help="CAM.json from `tableside calibrate camera`.")],
        output: Annotated[Path, typer.Option("-o", "--output", help="The timeline to write, JSON Lines.")],
        layout: Annotated[Path | None, typer.Option(help="LAYOUT.json: table size, fiducials, terrain.")] = None,
        pose: PoseFile = None,
        edition: Edition = None,
        catalogue: Annotated[Path | None, typer.Option(help="The only base sizes to look for.")] = None,
        expected: Annotated[
            Path | None,
            typer.Option(help="Who is expected, as put to `/api/v1/expected`: helps to know them again."),
        ] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")] = False,
    ) -> None:
        """Follow a recording: who moved where, who left, and the table's state whenever it has settled."""
        from vision.tracking.tracker import Tracker

        choice = None if edition is None else read_edition(edition)
        place = read_table_files(layout, pose)
        tracker = Tracker(
            load(Camera, camera, error=BadCamera),
            place.layout,
            edition=DEFAULT_EDITION if choice is None else choice.id,
            catalogue=sizes_of(choice, catalogue),
            start=place.pose,
        )
        if expected is not None:
            tracker.set_expected_counts(count_expected(load(Roster, expected, error=BadInput).expected))
        lines = list(_timeline_lines(video, tracker, choice))
        if not any('"type":"state"' in line for line in lines):
            raise TableNotVisible("the table was never seen settled in this recording", field="video", value=str(video))
        write_whole(output, "".join(f"{line}\n" for line in lines))
        summary = {"lines": len(lines), "timeline": str(output)}
        typer.echo(json.dumps(summary) if as_json else f"{len(lines)} lines: {output}")


def _timeline_lines(video: Path, tracker: "Tracker", choice: EditionChoice | None) -> Iterator[str]:
    """Every line of the timeline, with a bar on a terminal. Nothing is written until all frames are read."""
    from vision.capture.sources import CorruptFrameFilter, frame_count, read_frames

    columns = (TextColumn("watching"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    frame_filter = CorruptFrameFilter()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=frame_count(video))
        for frame in read_frames(video):
            if frame_filter.accepts(frame):
                for line in tracker.update(frame).lines:
                    yield judged_by(choice, line).model_dump_json(exclude_none=True)
            bar.advance(task)


def judged_by(choice: EditionChoice | None, line: TimelineLine) -> TimelineLine:
    """The line with its table under the book that was named: a tracker knows none that is written as data."""
    if choice is None or choice.book is None or not isinstance(line, StateLine):
        return line
    return StateLine(**{**dict(line), "state": choice.judge(line.state)})
