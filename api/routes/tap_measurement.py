"""Tap measurement routes: a player taps on the camera's own picture, and is told which base fits there."""

from functools import partial
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Query, Response
from pydantic import Field

from api.errors import CameraFailed, NoPicture, NoTableYet, TooManyQuestions
from api.http.openapi import media_response, problem_responses
from api.live.hub import table_of
from api.live.roll_call import RollCallSheet, call_roll
from api.routes.auth import needs
from api.routes.services import Table
from api.seats.permissions import Right
from api.tap_measurement.gap_search import GapSheet, search_table
from api.tap_measurement.gift import check_consent, pack_gift
from api.tap_measurement.regiment_placement import RegimentRequest, RegimentSheet, place_regiment
from api.tap_measurement.service import NEWEST, HeldPicture, cut_crop, homography_of
from models.errors import BadInput
from models.frozen import Frozen
from models.tap import Homography, Tap, TapMeasurement

_MOST_PX = 20_000
PictureName = Annotated[str, Query(max_length=40, description="of the picture that was tapped; left out: the newest")]
Licence = Annotated[
    str, Query(max_length=40, description="what others may do with it: CC0-1.0, CC-BY-4.0, CC-BY-SA-4.0")
]
Giver = Annotated[str, Query(max_length=80, description="the name that others shall give")]
Agreed = Annotated[bool, Query(description="whoever asks took the picture, and gives it under this licence")]
Side = Annotated[int, Query(ge=1, le=_MOST_PX)]
Edge = Annotated[int, Query(ge=0, le=_MOST_PX)]
_JPEG = media_response("image/jpeg") | problem_responses(NoPicture)
roll_call_router = APIRouter(prefix="/api/v1/roll-call", tags=["measure"])
"""Everybody may read how complete the table is."""
_KEPT = {"Cache-Control": "private, max-age=3600"}  # a name means one picture for ever

router = APIRouter(prefix="/api/v1/measure", tags=["measure"], dependencies=[needs(Right.CORRECT)])


class PictureAtHand(Frozen):
    """A picture that may be tapped on; `name` means this one whatever is seen later."""

    name: str
    size_px: tuple[int, int]
    table_mm: tuple[float, float]
    px_from_mm: Homography = Field(description="from the table's plane to pixels of the picture, as far as it is flat")


def describe_picture(held: HeldPicture) -> PictureAtHand:
    """Its name, its size and the table's."""
    return PictureAtHand(
        name=held.name,
        size_px=held.view.camera.image_size,
        table_mm=held.view.table_mm,
        px_from_mm=homography_of(held.view),
    )


@router.get("", responses=problem_responses(NoPicture))
async def picture_at_hand(table: Table, picture: PictureName = NEWEST) -> PictureAtHand:
    """The picture to tap on, which is made ready meanwhile: the first tap is then measured as fast as the others."""
    return describe_picture(table.taps.prepare(picture))


@router.post("", responses=problem_responses(NoPicture, BadInput, TooManyQuestions, CameraFailed))
async def measure(tap: Tap, table: Table, picture: PictureName = NEWEST) -> TapMeasurement:
    """Which base stands where a player taps: each size with its probability, its outline and a crop for a loupe.

    Nothing is written: the correction `base` tells the table what the player confirms.
    """
    return await table.taps.measure(tap, picture)


@router.post("/regiment", responses=problem_responses(NoPicture, BadInput, TooManyQuestions, CameraFailed))
async def measure_regiment(asked: RegimentRequest, table: Table, picture: PictureName = NEWEST) -> RegimentSheet:
    """Where the members of a ranked unit stand at whose corners, or front edge, a player taps; who shows a rim is
    counted.

    Nothing is written: `correction`, sent to `/api/v1/corrections` as it is, tells the table of all of it in one step.
    """
    held = table.taps.picture(picture)
    measured = await table.taps.measure_regiment(asked, held.name)
    return place_regiment(asked, measured, table.hub.state, picture=held.name)


@router.post("/gaps", responses=problem_responses(NoPicture, NoTableYet, TooManyQuestions, CameraFailed))
async def search_gaps(table: Table, picture: PictureName = NEWEST) -> GapSheet:
    """Which of what is unconfirmed are bases by what players confirmed and denied on this table so far.

    Nothing is written: `correction`, sent to `/api/v1/corrections` as it is, places all of them in one step.
    """
    return await search_table(table.hub, table.taps, picture)


@router.get(
    "/gift.zip",
    response_class=Response,
    responses=media_response("application/zip") | problem_responses(NoPicture, NoTableYet, BadInput),
)
async def gift(
    table: Table, licence: Licence, giver: Giver = "", agree: Agreed = False, picture: PictureName = NEWEST
) -> Response:
    """The picture with its marked truth as one zip, for others to train with, once its giver agrees; nothing is sent
    anywhere."""
    check_consent("this picture", licence, giver, is_agreed=agree)
    held, state = table.taps.picture(picture), table_of(table.hub)
    view = held.view
    packed = pack_gift(
        held.jpeg, state, camera=view.camera, layout=view.layout, pose=view.pose, licence=licence, giver=giver
    )
    named = {"Content-Disposition": 'attachment; filename="table.zip"'}
    return Response(packed, media_type="application/zip", headers=named)


@router.get("/picture.jpg", response_class=Response, responses=_JPEG)
async def whole_picture(table: Table, picture: PictureName = NEWEST) -> Response:
    """The picture as the camera took it, black beyond the table's edge."""
    return Response(table.taps.picture(picture).jpeg, media_type="image/jpeg", headers=_kept(picture))


@router.get("/crop.jpg", response_class=Response, responses=_JPEG)
async def crop(
    table: Table, left_px: Edge, top_px: Edge, width_px: Side, height_px: Side, picture: PictureName = NEWEST
) -> Response:
    """A part of it in the camera's own pixels, as a measurement names it."""
    held = table.taps.picture(picture)
    cut = partial(cut_crop, held, left_px=left_px, top_px=top_px, width_px=width_px, height_px=height_px)
    return Response(await to_thread.run_sync(cut), media_type="image/jpeg", headers=_kept(picture))


@roll_call_router.get("", responses=problem_responses(NoTableYet))
async def roll_call(table: Table) -> RollCallSheet:
    """How many of each side and size stand, are missing and are doubtful, with the part of the picture that shows them.

    Who is expected comes from the lists, or from numbers that players typed (`PUT /api/v1/expected`). The roll ends
    with the correction `complete`, which the other player agrees to.
    """
    hub = table.hub
    state = table_of(hub)
    sheet = call_roll(state, hub.expected.counted(), hub.undo_log.all(), departed=hub.expected.departed())
    return RollCallSheet(**dict(sheet) | {"doubtful": tuple(table.taps.show(each) for each in sheet.doubtful)})


def _kept(picture: str) -> dict[str, str]:
    return {"Cache-Control": "no-store"} if picture == NEWEST else _KEPT
