"""`tableside photo`: lens and pose from photographs of a game, by what a person points at in them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.invocation import wants_json
from api.storage.files import load, read_bytes, save
from models.camera import Camera
from models.errors import BadCamera, BadInput
from models.marks import Marks

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
) -> None:
    """Where the camera was, from a photograph of a game: by corners, sides, folds and discs that you mark in it."""
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


def _solve(picture: Path, marks: Marks, lens: Camera | None) -> "tuple[View, str]":
    """The view of a photograph, and how good distances in it are. Raises: BadFile, BadInput."""
    from api.setup_pictures.marked_photograph import lens_of_photograph, solve_photograph  # `ask` waits for no OpenCV
    from vision.capture.image_decoding import decode_image

    data = read_bytes(picture)
    high, wide = decode_image(data, field="pictures", name=picture.name).shape[:2]
    solved = solve_photograph(marks, lens_of_photograph(data, (wide, high), lens))
    return solved.marked.view, (
        f"solved with {_LENSES[solved.lens]}; places are good to {solved.near_mm:.1f} mm at the nearest corner, "
        f"{solved.far_mm:.1f} mm at the farthest"
    )
