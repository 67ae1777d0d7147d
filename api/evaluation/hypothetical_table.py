"""Hypothetical table: ghosts where players think of going, and what a camera cannot know of a card."""

import math
from collections.abc import Collection, Mapping
from typing import Annotated

from pydantic import Field

from models.errors import UnknownThing
from models.frozen import Frozen
from models.miniature import Miniature
from models.profile import MeleeWeapon
from models.state import TableState
from models.vocabulary import MOST_IN_QUESTION, AngleDeg, Id, NotNegative, Point

TOLD_FACING_SIGMA_DEG = 10.0  # how well a player points with a thumb
DEFAULT_REACH_IN = 0.5  # reach is printed on a card; half an inch is the shortest printed, so it promises least
DEFAULT_SPEED_IN = 6.0  # what most infantry's cards say; the phone shows that it is supposed


LONGEST_IN = 1000.0  # farther than any table is wide
LONGEST_SPEED_IN = 30.0  # reach and speed: more than any card prints
LONGEST_RING_IN = 60.0  # and more than any gun shoots
ToldInches = Annotated[float, Field(ge=0, le=LONGEST_SPEED_IN)]
RingInches = Annotated[float, Field(ge=0, le=LONGEST_RING_IN)]


class Ghost(Frozen):
    """Where a miniature is thought of as standing; the doubt of its place stays what it is."""

    at_mm: Point
    facing_deg: AngleDeg | None = Field(None, description="which way it would look; as it looks now when left out")


ToldFacings = Annotated[dict[Id, AngleDeg], Field(max_length=MOST_IN_QUESTION)]
Ghosts = Annotated[dict[Id, Ghost], Field(max_length=MOST_IN_QUESTION)]


class Hypothesis(Frozen):
    """What is supposed of the table where no card and no camera tells it: for everybody who has no card."""

    reach_in: ToldInches | None = Field(None, description="melee reach of those without a card; 0.5 when left out")
    speed_in: ToldInches | None = Field(None, description="speed of those without a card; 6 when left out")
    facings_deg: ToldFacings = Field({}, description="which way the players say that miniatures look")
    ghosts: Ghosts = Field({}, description="where miniatures are thought of as standing")

    @property
    def supposed_reach_in(self) -> float:
        return DEFAULT_REACH_IN if self.reach_in is None else self.reach_in

    @property
    def supposed_speed_in(self) -> float:
        return DEFAULT_SPEED_IN if self.speed_in is None else self.speed_in


def with_ghosts(state: TableState, ghosts: Mapping[Id, Ghost]) -> TableState:
    """The table with these miniatures moved there. Their height is that of the ground there, and old contacts end."""
    if not ghosts:
        return state
    contacts = tuple(c for c in state.contacts if c.a not in ghosts and c.b not in ghosts)
    moved = tuple(_move(m, ghosts[m.id]) if m.id in ghosts else m for m in state.miniatures)
    fields = {name: getattr(state, name) for name in type(state).model_fields}
    return TableState(**(fields | {"miniatures": moved, "contacts": contacts}))


def with_facings(state: TableState, facings_deg: Mapping[Id, float]) -> TableState:
    """The table on which these look as the players say."""
    if not facings_deg:
        return state
    miniatures = (_turn(m, facings_deg[m.id]) if m.id in facings_deg else m for m in state.miniatures)
    return state.with_miniatures(tuple(miniatures))


def with_cards(
    state: TableState, ids: Collection[Id], *, reach_in: NotNegative | None, speed_in: NotNegative | None
) -> TableState:
    """The table on which these have a weapon of this length and this speed; None leaves a card as it is."""
    if reach_in is None and speed_in is None:
        return state
    supposed = {"reach_in": reach_in, "speed_in": speed_in}
    return state.with_miniatures(tuple(_replace_card(m, **supposed) if m.id in ids else m for m in state.miniatures))


def apply_hypothesis(state: TableState, hypothesis: Hypothesis) -> TableState:
    """The table as supposed. Raises: UnknownThing when somebody named is not on it."""
    standing = {m.id for m in state.miniatures}
    for field, ids in (("facings_deg", hypothesis.facings_deg), ("ghosts", hypothesis.ghosts)):
        for id_ in ids:
            if id_ not in standing:
                raise UnknownThing(f"there is no miniature {id_!r} on the table", field=field, value=id_)
    unarmed, unhurried = without_reach(state), without_speed(state)
    state = with_facings(with_ghosts(state, hypothesis.ghosts), hypothesis.facings_deg)
    state = with_cards(state, unarmed, reach_in=hypothesis.supposed_reach_in, speed_in=None)
    return with_cards(state, unhurried, reach_in=None, speed_in=hypothesis.supposed_speed_in)


def without_reach(state: TableState) -> frozenset[Id]:
    """Those whose card tells no melee weapon."""
    return frozenset(m.id for m in state.miniatures if not m.profile.melee)


def without_speed(state: TableState) -> frozenset[Id]:
    """Those whose card tells no speed."""
    return frozenset(m.id for m in state.miniatures if m.profile.spd_in is None)


def _move(miniature: Miniature, ghost: Ghost) -> Miniature:
    facing = {} if ghost.facing_deg is None else {"facing_deg": ghost.facing_deg, "facing_alternatives": ()}
    place = {"at_mm": ghost.at_mm, "elevation_mm": None, "outline_mm": _carry_outline(miniature, ghost), **facing}
    return Miniature.model_validate(miniature.model_dump() | place)


def _carry_outline(miniature: Miniature, ghost: Ghost) -> tuple[Point, ...] | None:
    """The outline of its body where it is thought of, turned as it is."""
    if miniature.outline_mm is None:
        return None
    is_turned = miniature.facing_deg is not None and ghost.facing_deg is not None
    turn = math.radians((ghost.facing_deg or 0.0) - (miniature.facing_deg or 0.0)) if is_turned else 0.0
    c, s = math.cos(turn), math.sin(turn)
    (ax, ay), (gx, gy) = miniature.at_mm, ghost.at_mm
    return tuple((gx + c * (x - ax) - s * (y - ay), gy + s * (x - ax) + c * (y - ay)) for x, y in miniature.outline_mm)


def _turn(miniature: Miniature, facing_deg: float) -> Miniature:
    sigma = miniature.sigma.model_dump() | {"facing_deg": TOLD_FACING_SIGMA_DEG}
    turned = {"facing_deg": facing_deg, "facing_alternatives": (), "sigma": sigma}
    return Miniature.model_validate(miniature.model_dump() | turned)


def _replace_card(miniature: Miniature, *, reach_in: float | None, speed_in: float | None) -> Miniature:
    changes: dict[str, object] = {}
    if reach_in is not None:
        changes["melee"] = (MeleeWeapon(name="Melee", reach_in=reach_in),)
    if speed_in is not None:
        changes["spd_in"] = speed_in
    profile = miniature.profile.model_dump() | changes
    return Miniature.model_validate(miniature.model_dump() | {"profile": profile})
