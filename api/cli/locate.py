"""`tableside locate` and `watch`: one picture becomes one state file, a recording a timeline of states and events."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.invocation import film_bar, is_from_settings, wants_json
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
from api.malloc import keep_large_blocks
from api.setups.schemas import Roster
from api.storage.files import load, save, write_whole
from calibration.view import View
from models.base import Base, Catalogue
from models.camera import Camera
from models.errors import BadCamera, BadInput, TableNotVisible
from models.hint import Hint, Hints
from models.state import TableState
from models.timeline import StateLine, TimelineLine

if TYPE_CHECKING:
    from vision.tracking.tracker import Tracker
    from vision.uncalibrated.locate import UncalibratedTable

FreePlaneFlag = Annotated[
    bool,
    typer.Option(
        "--free-plane", help="No layout or fiducials: plane and scale are solved from the sizes of round things."
    ),
]
ProposeFlag = Annotated[
    bool,
    typer.Option(
        "--propose", help="Propose terrain, templates and tokens too: for players to confirm, no rule reads it."
    ),
]
HintsFile = Annotated[
    Path | None,
    typer.Option(help="HINTS.json: places where a base stands, or none does, as somebody sees (`schema hints`)."),
]
CropsFolder = Annotated[
    Path | None,
    typer.Option(help="A folder to keep what HINTS.json confirms or denies in, as labelled crops to train with."),
]
ExpectedFile = Annotated[
    Path | None, typer.Option(help="Who is expected, as put to `/api/v1/expected`: helps to know them and their sizes.")
]

Detector = Annotated[str | None, typer.Option(help="A detector that another package brings, by its name.")]


def locate_command(
    context: typer.Context,
    image: Annotated[Path, typer.Argument(help="A picture of the table with at least two fiducials in sight.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The state file to write.")],
    camera: Annotated[Path | None, typer.Option(help="CAM.json from `tableside setup` or `calibrate camera`.")] = None,
    layout: LayoutFile = None,
    pose: PoseFile = None,
    edition: EditionName = None,
    catalogue: CatalogueFile = None,
    hints: HintsFile = None,
    expected: ExpectedFile = None,
    crops: CropsFolder = None,
    detector: Detector = None,
    free_plane: FreePlaneFlag = False,
    propose: ProposeFlag = False,
) -> None:
    """Find every base in one picture: where it lies, its size, its facing, and how surely."""
    keep_large_blocks()
    choice = None if edition is None else read_edition(edition)
    sizes = sizes_of(choice, catalogue)
    given = () if hints is None else load(Hints, hints, error=BadInput).root
    files = {"camera": camera, "layout": layout, "pose": pose}
    if free_plane:
        files = {name: None if is_from_settings(context, name) else path for name, path in files.items()}
    else:
        files["pose"] = pose_in_use(context, pose)
    find = locate_free_plane if free_plane else locate_calibrated
    state = find(
        image, **files, sizes=sizes, propose=propose, hints=given, expected=_count_sizes(expected), crops=crops,
        detector=detector,
    )  # fmt: skip
    state = state if choice is None else choice.judge(state)
    save(state, output)
    summary = f"{len(state.miniatures)} bases: {output}"
    typer.echo(state.model_dump_json(exclude_none=True) if wants_json(context) else summary)


def locate_calibrated(
    image: Path, *, camera: Path | None, layout: Path | None, pose: Path | None, sizes: Catalogue,
    propose: bool = False, hints: Sequence[Hint] = (), expected: Mapping[Base, int] | None = None,
    crops: Path | None = None, detector: str | None = None,
) -> TableState:  # fmt: skip
    """The state of a picture taken with a known camera. Raises: BadInput, TableNotVisible, TooBlurred."""
    from api.camera.plugin_detector import finder_maker  # here, so that `ask` does not wait for OpenCV
    from api.storage.files import read_picture_for
    from calibration.image import check_size
    from calibration.pose.image_sharpness import check_sharpness
    from calibration.pose.locate_table import locate_table
    from calibration.pose.picture_fitness import check_picture
    from calibration.pose.pose_fitness import check_pose
    from vision.hinted_bases import check_apart, place_hints, say_by_hand
    from vision.labelled_crops import crops_of, keep_crops
    from vision.locate import locate
    from vision.size_ruler import doubt_sizes
    from vision.terrain.proposals import propose_terrain

    if camera is None:
        raise BadInput(
            "--camera is missing: CAM.json from `tableside calibrate camera`; with --free-plane it may be left out",
            field="camera", value=None,
        )  # fmt: skip
    lens, place = load(Camera, camera, error=BadCamera), read_table_files(layout, pose)
    picture = read_picture_for(image, lens.image_size)
    check_size(picture, lens)
    hangs = place.pose or locate_table(picture, camera=lens, layout=place.layout)
    view = View(lens, hangs, place.layout)
    check_sharpness(picture, view=view)
    _warn(image.name, check_picture(picture, view=view))
    _warn(image.name, check_pose(picture, view=view) if place.pose is not None else ())
    check_apart(hints, prompts := place_hints(hints, view=view))
    finder = None if detector is None else finder_maker(detector)(sizes, view.layout)
    state = locate(
        picture, view=view, catalogue=sizes, edition=DEFAULT_EDITION, finder=finder, hints=hints, expected=expected
    )
    _warn(image.name, (*doubt_sizes(picture, hints, view=view), *say_by_hand(state)))
    if crops is not None:
        places = zip(prompts, (hint for hint in hints if hint.regiment is None), strict=True)
        denied = [prompt.at_mm for prompt, hint in places if not hint.is_base]
        keep_crops(crops, crops_of(picture, state, denied, view=view))
    return state.with_proposals(propose_terrain(picture, state, camera=lens, pose=hangs)) if propose else state


def _warn(name: str, sentences: Sequence[str]) -> None:
    for says in sentences:
        typer.echo(f"{name}: {says}", err=True)


def locate_free_plane(
    image: Path, *, camera: Path | None, layout: Path | None, pose: Path | None, sizes: Catalogue,
    propose: bool = False, hints: Sequence[Hint] = (), expected: Mapping[Base, int] | None = None,
    crops: Path | None = None, detector: str | None = None,
) -> TableState:  # fmt: skip
    """The state of a picture whose plane and scale are solved from the sizes on it; what that means is said on stderr.

    Raises: BadInput, TableNotVisible.
    """
    from api.storage.files import read_picture
    from calibration.image import check_size
    from vision.uncalibrated.locate import locate_uncalibrated

    for name, path in (("layout", layout), ("pose", pose)):
        if path is not None:
            raise BadInput(f"--free-plane solves what --{name} tells: give one of them", field=name, value=str(path))
    for name, is_given in (
        ("propose", propose),
        ("hints", bool(hints)),
        ("crops", crops is not None),
        ("detector", detector is not None),
    ):
        if is_given:
            says = f"--{name} needs a camera file and a layout: give it without --free-plane"
            raise BadInput(says, field=name, value=True if name == "propose" else None)
    picture = read_picture(image)
    lens = load(Camera, camera, error=BadCamera) if camera else None
    if lens is not None:
        check_size(picture, lens)
    seen = locate_uncalibrated(picture, catalogue=sizes, edition=DEFAULT_EDITION, camera=lens)
    typer.echo(_describe_solution(seen), err=True)
    return seen.state


def _describe_solution(seen: "UncalibratedTable") -> str:
    lens = "the camera file's lens" if seen.is_lens_told else "a usual lens, since no camera file was given"
    said = f"Plane and scale were solved from the catalogue's sizes, with {lens}; the frame is the picture's own."
    if seen.other_scales:
        others = ", ".join(f"{scale:g}" for scale in seen.other_scales)
        said += f" The scale is in doubt: all lengths times {others} would explain the picture about as well."
    if seen.unsure:
        said += f" In doubt between sizes: {', '.join(_describe_sizes(id_, seen.sizes[id_]) for id_ in seen.unsure)}."
    return said


def _describe_sizes(id_: str, sizes: tuple[tuple[float, float], ...]) -> str:
    """As `m3 (23.25 mm 0.6, 24.25 mm 0.4)`."""
    return f"{id_} ({', '.join(f'{size:g} mm {share:.2f}' for size, share in sizes)})"


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
        tracker.set_expected_counts(_count_sizes(expected))
    lines = list(_timeline_lines(video, tracker, choice))
    if not any('"type":"state"' in line for line in lines):
        raise TableNotVisible("the table was never seen settled in this recording", field="video", value=str(video))
    write_whole(output, "".join(f"{line}\n" for line in lines))
    summary = {"lines": len(lines), "timeline": str(output)}
    typer.echo(json.dumps(summary) if wants_json(context) else f"{len(lines)} lines: {output}")


def _count_sizes(expected: Path | None) -> Counter[Base]:
    """How many of each size are expected. Raises: BadFile, BadInput."""
    return Counter() if expected is None else count_expected(load(Roster, expected, error=BadInput).expected)


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
