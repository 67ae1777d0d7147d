"""Identity routes: who is who, and the page on which that is answered."""

from typing import Annotated

from fastapi import APIRouter, FastAPI

from api.errors import NoCamera, NoSuchQuestion
from api.http.openapi import problem_responses
from api.http.static_pages import add_page
from api.identity.schemas import IdentityAnswer, OpenQuestion
from api.live.hub import Hub
from api.routes.auth import needs
from api.seats.permissions import Right, Seat
from models.errors import BadInput


def identity_router(hub: Hub) -> APIRouter:
    """What is asked, and how it is answered; the answer is told to everybody when the camera's process took it in."""
    router = APIRouter(prefix="/api/v1/unsure", tags=["unsure"])
    player = needs(Right.CORRECT)

    @router.get("")
    async def open_questions() -> tuple[OpenQuestion, ...]:
        """Every question that nobody has settled, the oldest first."""
        return hub.questions.all()

    @router.post("/{question}", status_code=202, responses=problem_responses(NoSuchQuestion, BadInput, NoCamera))
    async def answer(question: str, right: IdentityAnswer, _: Annotated[Seat, player]) -> None:
        """Say who is who: names in all that was told since the question are corrected by a line of their own."""
        hub.camera.resolve_identity(question, right.ids)

    return router


def add_unsure_page(app: FastAPI) -> None:
    """Serve the page at `/unsure`."""
    add_page(app, "/unsure", "unsure.html")
