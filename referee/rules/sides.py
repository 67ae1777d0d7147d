"""Sides: who is whose enemy."""

from models.miniature import Miniature
from models.state import TableState


def are_enemies(state: TableState, a: Miniature, b: Miniature) -> bool:
    """Own side and allies are friends, the rest enemies; a miniature without a side is everybody's enemy."""
    if a.side is None or b.side is None:
        return True
    if a.side == b.side:
        return False
    pair = {a.side, b.side}
    return not any(one.id in pair and not pair.isdisjoint(one.allies) for one in state.sides)


def friends_of(state: TableState, side: str) -> frozenset[str]:
    """The side itself and its allies."""
    allies = (ally for one in state.sides if one.id == side for ally in one.allies)
    return frozenset((side, *allies))
