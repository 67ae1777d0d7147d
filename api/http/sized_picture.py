"""Sized picture: what a page asks of a picture, and the answer."""

from typing import Annotated

from fastapi import Header, Query, Response

from api.live.picture_sizes import SizedPicture

WEBP = "image/webp"
Width = Annotated[int | None, Query(ge=1, le=10_000, description="how many pixels it has on the screen; else all")]
Accept = Annotated[str, Header(include_in_schema=False)]


def picture_response(picture: SizedPicture, *, kept: str, version: str | None = None) -> Response:
    """The picture; a part says in `Picture-Place` where its corner lies and how large the whole is."""
    headers = {"Cache-Control": kept, "Vary": "Accept"}
    if version is not None:
        headers["Picture-Version"] = version
    if picture.whole_px != (0, 0):
        headers["Picture-Place"] = f"{picture.left_px} {picture.top_px} {picture.whole_px[0]} {picture.whole_px[1]}"
    return Response(picture.content, media_type=picture.media_type, headers=headers)
