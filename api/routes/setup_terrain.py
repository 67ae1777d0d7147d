"""Set-up terrain routes: terrain proposed by the set-up's pictures, chosen by taps, kept under a name."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from api.errors import JournalFailed, NoPicture, NoSuchSetup, NotAllowed
from api.http.openapi import media_response, problem_responses
from api.setup_pictures.setup_guide import SetupGuide
from api.setup_pictures.terrain_schemas import PieceChoice, TerrainName, TerrainStatus
from models.errors import BadFile, BadInput
from models.vocabulary import Id

_CHANGING = problem_responses(NotAllowed, BadInput, BadFile)


def terrain_routes(setup: SetupGuide) -> APIRouter:
    """What lies on the table that is being set up."""
    router = APIRouter(prefix="/terrain")

    @router.get("", responses=problem_responses(NotAllowed))
    def status() -> TerrainStatus:
        """What is proposed, chosen and kept."""
        return setup.terrain.status(setup.draft)

    @router.post("/propose", responses=_CHANGING)
    def propose() -> TerrainStatus:
        """Propose terrain, with its height where pictures from several sides tell it."""
        return setup.terrain.propose()

    @router.get(
        "/look/{version}.jpg",
        response_class=Response,
        responses=media_response("image/jpeg") | problem_responses(NotAllowed, NoPicture),
    )
    def picture(version: int) -> Response:
        """The table from straight above, while its pictures are held."""
        return Response(setup.terrain.jpeg(version), media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @router.put("/pieces/{id}", responses=_CHANGING)
    def choose(id: Annotated[Id, Path()], choice: PieceChoice) -> TerrainStatus:
        """Take a piece as what it is, with its height, or leave it out."""
        return setup.terrain.choose(id, choice)

    @router.post("/keep", responses=_CHANGING | problem_responses(JournalFailed))
    def keep(under: TerrainName) -> TerrainStatus:
        """Keep the chosen pieces under a name; the pictures are held no longer."""
        return setup.terrain.keep(under.name)

    @router.post("/take-up", responses=_CHANGING | problem_responses(NoSuchSetup))
    def take_up(under: TerrainName) -> TerrainStatus:
        """Begin with terrain that was kept before."""
        return setup.terrain.take_up(under.name)

    @router.post("/leave", responses=_CHANGING)
    def leave() -> TerrainStatus:
        """Begin without terrain; the pictures are held no longer."""
        return setup.terrain.leave()

    return router
