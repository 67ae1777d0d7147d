"""Gift: a picture with its marked truth as one zip, under a licence that its giver chooses; nothing is sent."""

import io
import zipfile

from models.camera import Camera, CameraPose
from models.errors import BadInput
from models.layout import Layout
from models.state import TableState

LICENCES = {
    "CC0-1.0": "may be used by anybody for anything; the giver claims no rights",
    "CC-BY-4.0": "may be used by anybody for anything, if the giver is named",
    "CC-BY-SA-4.0": "may be used by anybody for anything, if the giver is named and what is made of it is given alike",
}


def check_consent(picture: str, licence: str, giver: str, *, is_agreed: bool) -> None:
    """Raises: BadInput, saying what is given and what the licence allows, until the giver agrees."""
    if licence not in LICENCES:
        raise BadInput(f"licence is one of {', '.join(LICENCES)}", field="licence", value=licence)
    if licence != "CC0-1.0" and not giver:
        says = f"{licence} asks others to name you: give --giver NAME, or choose CC0-1.0"
        raise BadInput(says, field="giver", value=None)
    if not is_agreed:
        raise BadInput(
            f"The file holds the table in {picture}, without the room and what the camera wrote beside it, and "
            f"what stands on it. It {LICENCES[licence]}, and that cannot be taken back. If you took the picture "
            "and agree, say so: --agree, or agree=true.",
            field="agree", value=False,
        )  # fmt: skip


def pack_gift(
    jpeg: bytes, state: TableState, *, camera: Camera, layout: Layout, pose: CameraPose, licence: str, giver: str
) -> bytes:
    """The zip, which `python -m vision.training` reads once it is unpacked. `jpeg`: the room is black in it.

    Raises: BadInput for a state of another table.
    """
    stated_mm = state.table.width_mm, state.table.depth_mm
    if stated_mm != layout.table_mm:
        of_state, of_picture = (f"{width:g} x {depth:g} mm" for width, depth in (stated_mm, layout.table_mm))
        says = f"state: it is of a table of {of_state}, and the picture of one of {of_picture}"
        raise BadInput(says, field="state", value=list(stated_mm))
    named = f"Giver: {giver}\n" if giver else ""
    text = f"SPDX-License-Identifier: {licence}\n{named}The picture and its marks {LICENCES[licence]}.\n"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as gift:
        gift.writestr("table.jpg", jpeg)
        gift.writestr("table.state.json", state.model_dump_json(exclude_none=True))
        for name, part in (("camera", camera), ("layout", layout), ("pose", pose)):
            gift.writestr(f"table.{name}.json", part.model_dump_json(exclude_none=True))
        gift.writestr("LICENCE.txt", text)
    return packed.getvalue()
