"""`tableside photo`: lens and pose from photographs of a game, by what a person points at in them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.invocation import wants_json
from api.cli.table_options import DEFAULT_EDITION, EditionChoice, EditionName, read_edition, sizes_of
from api.storage.files import load, read_bytes, save
from models.camera import Camera
from models.errors import BadCamera, BadInput, CamerasDisagree
from models.marks import Marks
from models.state import TableState

if TYPE_CHECKING:
    from calibration.view import View

_LENSES = {
    "kept": "the camera file's lens",
    "exif": "the lens that its EXIF names",
    "usual": "a phone's usual lens",
}


def solve_photographs(
    context: typer.Context,
    pictures: Annotated[list[Path], typer.Argument(help="Photographs of a table, as the camera wrote them.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write camera and pose into.")],
    marks: Annotated[
        list[Path],
        typer.Option(help="MARKS.json of each photograph: corners, sides, folds, points, discs (`schema marks`)."),
    ],
    camera: Annotated[Path | None, typer.Option(help="The camera file, where the lens was calibrated.")] = None,
    locate: Annotated[bool, typer.Option("--locate", help="Measure all bases too, and write state.json.")] = False,
    edition: EditionName = None,
) -> None:
    """Where the camera was, from a photograph of a game: by corners, sides, folds and discs that you mark in it.

    Several photographs of one moment, with --locate, join into one state: what one hides another tells.
    """
    if len(marks) != len(pictures):
        raise BadInput(
            f"{len(pictures)} photographs, and marks of {len(marks)}: give one --marks for each, in their order",
            field="marks", value=len(marks),
        )  # fmt: skip
    lens = None if camera is None else load(Camera, camera, error=BadCamera)
    named = [load(Marks, path, error=BadInput) for path in marks]
    solved = [_solve(picture, each, lens) for picture, each in zip(pictures, named, strict=True)]
    output.mkdir(parents=True, exist_ok=True)
    for picture, (view, _) in zip(pictures, solved, strict=True):
        prefix = "" if len(pictures) == 1 else f"{picture.stem}."
        save(view.camera, output / f"{prefix}camera.json")
        save(view.pose, output / f"{prefix}pose.json")
    for picture, (view, says) in zip(pictures, solved, strict=True):
        typer.echo(view.pose.model_dump_json(exclude_none=True) if wants_json(context) else f"{picture.name}: {says}")
    if locate:
        state, says = _join(pictures, [view for view, _ in solved], None if edition is None else read_edition(edition))
        save(state, output / "state.json")
        typer.echo(state.model_dump_json(exclude_none=True) if wants_json(context) else says)


def _join(pictures: list[Path], views: "list[View]", choice: EditionChoice | None) -> tuple[TableState, str]:
    """All bases of one moment, each by how surely every photograph shows it. Raises: BadFile, CamerasDisagree."""
    from api.storage.files import read_picture_for
    from vision.camera_fusion import fuse_states
    from vision.locate import locate

    sizes, overlaps, joined = sizes_of(choice, None), [], None
    for picture, view in zip(pictures, views, strict=True):
        image = read_picture_for(picture, view.camera.image_size)
        state = locate(image, view=view, catalogue=sizes, edition=DEFAULT_EDITION)
        if joined is None:
            joined = state
            continue
        fused = fuse_states(joined, state, names=("before", picture.stem))
        if fused.overlap.is_alarming:
            raise CamerasDisagree(
                f"{picture.name} does not fit the photographs before it: the {fused.overlap.bases} bases in both "
                f"lie {fused.overlap.apart_mm:.1f} mm apart, and {fused.overlap.expected_mm:.1f} are allowed: was "
                "something moved between them, or is a mark wrong?",
                field="pictures", value=picture.name,
            )  # fmt: skip
        joined = fused.state
        overlaps.append(
            f"{picture.name} shows {fused.overlap.bases} of them too, {fused.overlap.apart_mm:.1f} mm apart"
        )
    assert joined is not None
    judged = joined if choice is None else choice.judge(joined)
    return judged, "; ".join([f"{len(judged.miniatures)} bases", *overlaps])


def _solve(picture: Path, marks: Marks, lens: Camera | None) -> "tuple[View, str]":
    """The view of a photograph, and how good distances in it are. Raises: BadFile, BadInput."""
    from api.setup_pictures.marked_photograph import doubt_photograph, lens_of_photograph, solve_on_sides
    from vision.capture.image_decoding import decode_image  # here, so that `ask` waits for no OpenCV

    data = read_bytes(picture)
    image = decode_image(data, field="pictures", name=picture.name)
    high, wide = image.shape[:2]
    solved = solve_on_sides(image, marks, lens_of_photograph(data, (wide, high), lens))
    for warning in (*solved.warnings(), *doubt_photograph(image, marks, solved.marked.view)):
        typer.echo(f"{picture.name}: {warning}", err=True)
    return solved.marked.view, (
        f"solved with {_LENSES[solved.lens]}; places are good to {solved.near_mm:.1f} mm at the nearest corner, "
        f"{solved.far_mm:.1f} mm at the farthest"
    )
