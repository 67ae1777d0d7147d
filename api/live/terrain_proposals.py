"""Terrain proposals: terrain, templates and tokens that the newest picture suggests, for players to lay or reject.

Nothing is laid by itself. Laying and rejecting are corrections, so each is a step that may be taken back.
"""

from collections.abc import Iterable

from pydantic import Field

from api.corrections.schemas import CorrectionGroup, TerrainRejection
from api.live.hub import Hub, table_of
from models.frozen import Frozen
from models.state import TableState
from models.terrain_proposal import Proposal, ProposedDisc, ProposedTerrain
from models.vocabulary import Point


class Proposals(Frozen):
    """What may be terrain, a template or a token and is not laid yet."""

    terrain: tuple[ProposedTerrain, ...]
    discs: tuple[ProposedDisc, ...] = Field((), description="flat and round: templates of the sizes there are, tokens")
    is_hand_in_the_way: bool = False


class TerrainProposals:
    """The proposals of a picture, kept until there is another one or the bases stand otherwise."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._of: tuple[int, str] | None = None
        self._newest_proposals: tuple[Proposal, ...] = ()

    def open(self) -> Proposals:
        """What the newest picture suggests and nobody has settled. Nothing while a hand is over the table.

        Raises: NoTableYet.
        """
        state = table_of(self._hub)
        self._hub.note_picture_fetched()
        if self._hub.source.freshness().hand:
            return Proposals(terrain=(), is_hand_in_the_way=True)
        return _drop_settled(self._newest(), state, rejected_outlines(self._hub))

    def _newest(self) -> tuple[Proposal, ...]:
        """All that the newest picture suggests; without a picture what the state's file said."""
        state, picture = table_of(self._hub), self._hub.live_picture.jpeg
        if picture is None:
            return (self._hub.measured or state).proposals
        now = (self._hub.live_picture.version, state.state_id)
        if now != self._of:
            self._newest_proposals, self._of = _propose(picture, state), now
        return self._newest_proposals


def rejected_outlines(hub: Hub) -> tuple[tuple[Point, ...], ...]:
    """The outlines within which players said that there is nothing."""
    held = (step.correction for step in hub.undo_log.all() if not step.is_undone)
    return tuple(
        single.polygon_mm
        for correction in held
        for single in (correction.corrections if isinstance(correction, CorrectionGroup) else (correction,))
        if isinstance(single, TerrainRejection)
    )


def _propose(jpeg: bytes, state: TableState) -> tuple[Proposal, ...]:
    from vision.capture.image_decoding import (
        decode_image,  # here, so that what needs no picture does not wait for OpenCV
    )
    from vision.terrain.proposals import propose_from_above

    return propose_from_above(decode_image(jpeg, field="picture", name="the table's picture"), state)


def _drop_settled(proposed: Iterable[Proposal], state: TableState, refused: tuple[tuple[Point, ...], ...]) -> Proposals:
    from vision.terrain.proposals import disc_outlines, drop_known, terrain_outlines

    ground = [*terrain_outlines(state), *map(list, refused)]
    terrain = (proposal for proposal in proposed if isinstance(proposal, ProposedTerrain))
    discs = (proposal for proposal in proposed if isinstance(proposal, ProposedDisc))
    return Proposals(
        terrain=tuple(drop_known(terrain, ground)), discs=tuple(drop_known(discs, [*ground, *disc_outlines(state)]))
    )
