"""Terrain proposal routes: what the newest picture suggests."""

from fastapi import APIRouter, Request

from api.errors import NoTableYet, TooManyQuestions
from api.http.openapi import problem_responses
from api.live.hub import Hub
from api.live.terrain_proposals import Proposals, TerrainProposals
from api.routes.question_desk import QuestionDesk


def terrain_proposal_router(hub: Hub, desk: QuestionDesk) -> APIRouter:
    """The route of the newest proposals."""
    router = APIRouter(prefix="/api/v1", tags=["corrections"])
    newest = TerrainProposals(hub)

    @router.get("/proposals", responses=problem_responses(NoTableYet, TooManyQuestions))
    async def proposals(request: Request) -> Proposals:
        """What the newest picture of the table suggests. Nothing while a hand is over the table."""
        return await desk.answer(request, newest.open)

    return router
