"""`tableside give`: a picture with its marked truth as one file, under a licence that its giver chooses.

Nothing is sent anywhere: the giver has the file, and gives it to whom he likes.
"""

import json
import zipfile
from pathlib import Path
from typing import Annotated

import typer

from api.cli.invocation import wants_json
from api.cli.table_options import LayoutFile, PoseFile, read_table_files
from api.storage.files import load, read_picture_for
from models.camera import Camera
from models.errors import BadCamera, BadInput, BadState
from models.state import TableState

LICENCES = {
    "CC0-1.0": "may be used by anybody for anything; the giver claims no rights",
    "CC-BY-4.0": "may be used by anybody for anything, if the giver is named",
    "CC-BY-SA-4.0": "may be used by anybody for anything, if the giver is named and what is made of it is given alike",
}
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
    if licence not in LICENCES:
        raise BadInput(f"--licence is one of {', '.join(LICENCES)}", field="licence", value=licence)
    if licence != "CC0-1.0" and not giver:
        raise BadInput(
            f"{licence} asks others to name you: say --giver NAME, or choose CC0-1.0", field="giver", value=None
        )
    if not agree:
        raise BadInput(
            f"The file holds the table in {picture.name}, without the room and what the camera wrote beside it, and "
            f"what stands on it. It {LICENCES[licence]}, and that cannot be taken back. If you took the picture "
            "and agree, say --agree.",
            field="agree", value=False,
        )  # fmt: skip
    marked = load(TableState, state, error=BadState)
    _write_gift(output, picture, marked, camera, layout, pose, _licence_text(licence, giver))
    summary = {"gift": str(output), "bases": len(marked.miniatures), "licence": licence}
    typer.echo(
        json.dumps(summary) if wants_json(context) else f"{len(marked.miniatures)} bases under {licence}: {output}"
    )


def _write_gift(
    output: Path, picture: Path, state: TableState, camera: Path, layout: Path | None, pose: Path | None, licence: str
) -> None:
    """The zip, which `python -m vision.training train --tables` reads once it is unpacked."""
    import cv2  # here, so that `ask` does not wait for OpenCV

    from api.camera.frame_loop import mask_room
    from calibration.image import check_size
    from calibration.pose.locate_table import locate_table

    lens, place = load(Camera, camera, error=BadCamera), read_table_files(layout, pose)
    image = read_picture_for(picture, lens.image_size)
    check_size(image, lens)
    hangs = place.pose or locate_table(image, camera=lens, layout=place.layout)
    shown = mask_room(image, camera=lens, pose=hangs, table_mm=place.layout.table_mm, margin_mm=0.0)
    jpeg = bytes(cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes())
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as gift:
        gift.writestr("table.jpg", jpeg)
        gift.writestr("table.state.json", state.model_dump_json(exclude_none=True))
        for name, part in (("camera", lens), ("layout", place.layout), ("pose", hangs)):
            gift.writestr(f"table.{name}.json", part.model_dump_json(exclude_none=True))
        gift.writestr("LICENCE.txt", licence)


def _licence_text(licence: str, giver: str) -> str:
    named = f"Giver: {giver}\n" if giver else ""
    return f"SPDX-License-Identifier: {licence}\n{named}The picture and its marks {LICENCES[licence]}.\n"
