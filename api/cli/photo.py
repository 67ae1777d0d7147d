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

_USUAL_FOCAL, _USUAL_SIGMA = 0.62, 0.25  # of a phone's main lens, in diagonals of its picture


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
    from calibration.camera_model.rescale import rescale_camera  # here, so that `ask` does not wait for OpenCV
    from calibration.pose.covariance_propagation import sigma_mm
    from calibration.pose.marked_pose import pinhole_camera, solve_marks
    from calibration.pose.mat_sides import corners_mm
    from vision.capture.image_decoding import decode_image
    from vision.capture.photo_exif import read_exif

    data = read_bytes(picture)
    high, wide = decode_image(data, field="pictures", name=picture.name).shape[:2]
    if lens is not None:
        source, known, sigma = "the camera file's lens", rescale_camera(lens, (wide, high)), 0.0
    elif (focal := read_exif(data).focal_px((wide, high))) is not None:
        source, known, sigma = "the lens that its EXIF names", pinhole_camera((wide, high), focal[0]), focal[1]
    else:
        usual_px = _USUAL_FOCAL * (wide**2 + high**2) ** 0.5
        source, known, sigma = "a phone's usual lens", pinhole_camera((wide, high), usual_px), _USUAL_SIGMA
    view = solve_marks(marks, camera=known, focal_sigma=sigma).view
    near, far = sorted(sigma_mm(corners_mm(marks.table_mm), view=view).tolist())[:: len(corners_mm(marks.table_mm)) - 1]
    return (
        view,
        f"solved with {source}; places are good to {near:.1f} mm at the nearest corner, {far:.1f} mm at the farthest",
    )
