"""`tableside give`: a picture with its marked truth as one file, under a licence that its giver chooses.

Nothing is sent anywhere: the giver has the file, and gives it to whom he likes.
"""

import json
from pathlib import Path
from typing import Annotated

import typer

from api.cli.invocation import wants_json
from api.cli.table_options import LayoutFile, PoseFile, TableFiles, read_table_files
from api.storage.files import load, read_picture_for, write_whole
from api.tap_measurement.gift import LICENCES, check_consent, pack_gift
from models.camera import Camera
from models.errors import BadCamera, BadState
from models.state import TableState

_QUALITY = 95


def give_picture(
    context: typer.Context,
    picture: Annotated[Path, typer.Argument(help="The photograph.")],
    state: Annotated[Path, typer.Argument(help="STATE.json: what stands in it, corrected where it was wrong.")],
    camera: Annotated[Path, typer.Option(help="The camera file.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The zip file to write.")],
    licence: Annotated[str, typer.Option(help=f"What others may do with it: {', '.join(LICENCES)}.")],
    layout: LayoutFile = None,
    pose: PoseFile = None,
    giver: Annotated[str, typer.Option(help="The name that others shall give; none is written unless given.")] = "",
    agree: Annotated[
        bool, typer.Option("--agree", help="You took this picture and give it under this licence.")
    ] = False,
) -> None:
    """Pack a picture and its marked truth for others to train with, after you agree. Nothing is sent anywhere."""
    check_consent(picture.name, licence, giver, is_agreed=agree)
    marked = load(TableState, state, error=BadState)
    _write_gift(output, picture, marked, camera, read_table_files(layout, pose), (licence, giver))
    summary = {"gift": str(output), "bases": len(marked.miniatures), "licence": licence}
    typer.echo(
        json.dumps(summary) if wants_json(context) else f"{len(marked.miniatures)} bases under {licence}: {output}"
    )


def _write_gift(
    output: Path, picture: Path, state: TableState, camera: Path, place: TableFiles, licence: tuple[str, str]
) -> None:
    """The zip. Raises: BadFile, BadInput, TableNotVisible."""
    import cv2  # here, so that `ask` does not wait for OpenCV

    from api.camera.frame_loop import mask_room
    from calibration.image import check_size
    from calibration.pose.locate_table import locate_table

    lens = load(Camera, camera, error=BadCamera)
    image = read_picture_for(picture, lens.image_size)
    check_size(image, lens)
    hangs = place.pose or locate_table(image, camera=lens, layout=place.layout)
    shown = mask_room(image, camera=lens, pose=hangs, table_mm=place.layout.table_mm, margin_mm=0.0)
    jpeg = bytes(cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes())
    name, giver = licence
    gift = pack_gift(jpeg, state, camera=lens, layout=place.layout, pose=hangs, licence=name, giver=giver)
    write_whole(output, gift)
