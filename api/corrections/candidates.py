"""Candidates: what may be a base, confirmed or dismissed by a player."""

import math

from api.corrections.schemas import CandidateCorrection
from models.miniature import Miniature
from models.pose import FacingAlternative, Sigma
from models.state import TableState
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import Id

MOVED_MM = 5.0  # farther than that, beyond its doubt, and another thing is meant


def name_candidate(index: int) -> str:
    """What a candidate is called on the table and in answers, by its place in the list."""
    return f"?{index + 1}"


def settle_candidate(state: TableState, told: CandidateCorrection) -> TableState:
    """The table as told; where nothing unconfirmed lies there any more it is as measured."""
    one = find_candidate(state, told)
    if one is None:
        return state
    rest = tuple(other for other in state.unconfirmed if other is not one)
    left = state.with_sightings(looked_for=state.looked_for, unconfirmed=rest)
    if not told.is_base or told.id is None:
        return left
    return left.with_miniatures((*left.miniatures, as_miniature(one, told.id)))


def find_candidate(state: TableState, told: CandidateCorrection) -> UnconfirmedBase | None:
    """The one that is meant; None when none lies there."""
    nearest = min(state.unconfirmed, key=lambda one: math.dist(one.at_mm, told.at_mm), default=None)
    if nearest is None or math.dist(nearest.at_mm, told.at_mm) > MOVED_MM + 3 * nearest.sigma_mm:
        return None
    return nearest


def as_miniature(one: UnconfirmedBase, id_: Id) -> Miniature:
    """The miniature that would stand there: of no side, and looking nowhere, or along its base either way."""
    sigma = Sigma(at_mm=one.sigma_mm)
    if one.base.shape == "round":
        return Miniature(id=id_, base=one.base, at_mm=one.at_mm, sigma=sigma)
    other_way = FacingAlternative(facing_deg=(one.turn_deg + 180.0) % 360.0, probability=0.5)
    return Miniature(
        id=id_, base=one.base, at_mm=one.at_mm, facing_deg=one.turn_deg, facing_alternatives=(other_way,), sigma=sigma
    )
