"""`tableside watch`: a recording becomes a timeline, a line for each settled state and each event."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.invocation import wants_json
from api.cli.progress import film_bar
from api.cli.table_options import (
    DEFAULT_EDITION,
    CameraFile,
    CatalogueFile,
    EditionChoice,
    EditionName,
    LayoutFile,
    PoseFile,
    pose_in_use,
    read_edition,
    read_table_files,
    sizes_of,
)
from api.live.expected_bases import count_expected
from api.setups.schemas import Roster
from api.storage.files import load, write_whole
from models.camera import Camera
from models.errors import BadCamera, BadInput, TableNotVisible
from models.timeline import StateLine, TimelineLine

if TYPE_CHECKING:
    from vision.tracking.tracker import Tracker

ExpectedFile = Annotated[
    Path | None, typer.Option(help="Who is expected, as put to `/api/v1/expected`: helps to know them again.")
]


def watch_command(
    context: typer.Context,
    video: Annotated[Path, typer.Argument(help="A video file, or a folder of pictures.")],
    camera: CameraFile,
    output: Annotated[Path, typer.Option("-o", "--output", help="The timeline to write, JSON Lines.")],
    layout: LayoutFile = None,
    pose: PoseFile = None,
    edition: EditionName = None,
    catalogue: CatalogueFile = None,
    expected: ExpectedFile = None,
) -> None:
    """Follow a recording: what moved, what left, and the table's state whenever it has settled."""
    choice = None if edition is None else read_edition(edition)
    tracker = make_tracker(load(Camera, camera, error=BadCamera), layout, pose_in_use(context, pose), choice, catalogue)
    if expected is not None:
        tracker.set_expected_counts(count_expected(load(Roster, expected, error=BadInput).expected))
    lines = list(_timeline_lines(video, tracker, choice))
    if not any('"type":"state"' in line for line in lines):
        raise TableNotVisible("the table was never seen settled in this recording", field="video", value=str(video))
    write_whole(output, "".join(f"{line}\n" for line in lines))
    summary = {"lines": len(lines), "timeline": str(output)}
    typer.echo(json.dumps(summary) if wants_json(context) else f"{len(lines)} lines: {output}")


def make_tracker(
    camera: Camera, layout: Path | None, pose: Path | None, choice: EditionChoice | None, catalogue: Path | None
) -> "Tracker":
    """The tracker of a table that these files describe. Raises: BadFile, BadInput."""
    from vision.tracking.tracker import Tracker

    place = read_table_files(layout, pose)
    return Tracker(
        camera,
        place.layout,
        edition=DEFAULT_EDITION if choice is None else choice.id,
        catalogue=sizes_of(choice, catalogue),
        start=place.pose,
    )


def _timeline_lines(video: Path, tracker: "Tracker", choice: EditionChoice | None) -> Iterator[str]:
    """Every line of the timeline, with a bar on a terminal. Nothing is written until all frames are read."""
    from vision.capture.sources import CorruptFrameFilter, frame_count, read_frames

    frame_filter = CorruptFrameFilter()
    with film_bar() as bar:
        task = bar.add_task("watching", total=frame_count(video))
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
