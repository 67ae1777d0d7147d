"""Terrain, templates and tokens that the newest picture suggests, for players to lay, redraw or reject.

Nothing is laid by itself.

Laying and rejecting are corrections, so each is a step that may be taken back.
"""

from collections.abc import Iterable

from fastapi import APIRouter
from pydantic import Field

from api.corrections.correction import Correction, Reject, Several
from api.errors import NoTableYet
from api.hub import Hub, table_of
from api.openapi import problems
from models.frozen import Frozen
from models.proposal import Proposal, ProposedDisc, ProposedTerrain
from models.state import TableState
from models.words import Point


class Proposals(Frozen):
    """What may be terrain, a template or a token and is not laid yet."""

    terrain: tuple[ProposedTerrain, ...]
    discs: tuple[ProposedDisc, ...] = Field((), description="flat and round: templates of the sizes there are, tokens")
    is_hand_in_the_way: bool = False


def proposing(hub: Hub) -> APIRouter:
    """The route that tells them."""
    router = APIRouter(prefix="/api/v1", tags=["corrections"])
    looked = Looked(hub)

    @router.get("/proposals", responses=problems(NoTableYet))
    def proposals() -> Proposals:
        """What the newest picture of the table suggests. Nothing while a hand is over the table."""
        state = table_of(hub)
        hub.fetched_picture()
        if hub.freshness().hand:
            return Proposals(terrain=(), is_hand_in_the_way=True)
        return _open(looked.proposals(), state, rejected(hub))

    return router


class Looked:
    """The proposals of a picture, kept until there is another one or the bases stand otherwise."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._of: tuple[int, str] | None = None
        self._found: tuple[Proposal, ...] = ()

    def proposals(self) -> tuple[Proposal, ...]:
        """All that the newest picture suggests; without a picture what the state's file said."""
        state, picture = table_of(self._hub), self._hub.picture
        if picture is None:
            return (self._hub.measured or state).proposals
        now = (self._hub.picture_version, state.state_id)
        if now != self._of:
            self._found, self._of = _in_picture(picture, state), now
        return self._found


def rejected(hub: Hub) -> tuple[tuple[Point, ...], ...]:
    """The outlines within which players said that there is nothing."""
    held = (step.correction for step in hub.steps.all() if not step.is_undone)
    return tuple(one.polygon_mm for correction in held for one in _singles(correction) if isinstance(one, Reject))


def _singles(correction: Correction) -> Iterable[Correction]:
    return correction.corrections if isinstance(correction, Several) else (correction,)


def _in_picture(jpeg: bytes, state: TableState) -> tuple[Proposal, ...]:
    from vision.pictures import decoded  # here, so that what needs no picture does not wait for OpenCV
    from vision.proposing.proposing import proposals_from_above

    return proposals_from_above(decoded(jpeg, field="picture", name="the table's picture"), state)


def _open(proposed: Iterable[Proposal], state: TableState, refused: tuple[tuple[Point, ...], ...]) -> Proposals:
    from vision.proposing.known import discs_of, outlines_of, still_open

    ground = [*outlines_of(state), *map(list, refused)]
    terrain = (one for one in proposed if isinstance(one, ProposedTerrain))
    discs = (one for one in proposed if isinstance(one, ProposedDisc))
    return Proposals(
        terrain=tuple(still_open(terrain, ground)), discs=tuple(still_open(discs, [*ground, *discs_of(state)]))
    )
