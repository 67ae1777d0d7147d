"""QR code route: a link or a hash as a code that another phone's camera reads."""

import io
from typing import Annotated

import segno
from fastapi import APIRouter, Query, Response

from api.http.openapi import media_response

LONGEST_SAID = 800


def qr_router() -> APIRouter:
    """The route of codes; nothing of the table is in them but what is asked for."""
    router = APIRouter(prefix="/api/v1", tags=["table"])

    @router.get("/qr.svg", response_class=Response, responses=media_response("image/svg+xml"))
    def draw_code(says: Annotated[str, Query(min_length=1, max_length=LONGEST_SAID)]) -> Response:
        """This text as a QR code, dark on light, as SVG."""
        return Response(draw_qr(says), media_type="image/svg+xml", headers={"Cache-Control": "private, max-age=3600"})

    return router


def draw_qr(says: str) -> bytes:
    """The code as SVG that scales with the page."""
    out = io.BytesIO()
    segno.make(says, error="m").save(out, kind="svg", dark="#000", light="#fff", border=3, omitsize=True, xmldecl=False)
    return out.getvalue()
