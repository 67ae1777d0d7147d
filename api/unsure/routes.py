"""Questions about who is who over HTTP, and the page on which they are answered."""

from typing import Annotated

from fastapi import APIRouter, FastAPI
from pydantic import Field

from api.errors import NoCamera, NoSuchQuestion
from api.hub import Hub
from api.openapi import problems
from api.phone_page import add_page
from api.seats.asking import needs
from api.seats.seat import Right, Seat
from api.unsure.open_questions import Open
from models.errors import BadInput
from models.frozen import Frozen
from models.words import Id


class WhoIsWho(Frozen):
    """Who stands at the places of a question, in their order."""

    ids: tuple[Id, ...] = Field(min_length=1)


def unsure(hub: Hub) -> APIRouter:
    """What is asked, and how it is answered; the answer is told to everybody when the camera's process took it in."""
    router = APIRouter(prefix="/api/v1/unsure", tags=["unsure"])
    player = needs(Right.CORRECT)

    @router.get("")
    async def asked() -> tuple[Open, ...]:
        """Every question that nobody has settled, the oldest first."""
        return hub.unsure.all()

    @router.post("/{question}", status_code=202, responses=problems(NoSuchQuestion, BadInput, NoCamera))
    async def answer(question: str, right: WhoIsWho, _: Annotated[Seat, player]) -> None:
        """Say who is who: names in all that was told since the question are corrected by a line of their own."""
        hub.answer(question, right.ids)

    return router


def add_unsure_page(app: FastAPI) -> None:
    """Serve the page at `/unsure`."""
    add_page(app, "/unsure", "unsure.html")
