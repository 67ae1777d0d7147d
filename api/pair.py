"""Everything two players ask about two miniatures, the most argued-about first.

The phone shows these lines in this order and with these words; it knows no rule and no kind by itself.
"""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from api.memory import Ask
from models.errors import BadQuery, UnknownThing
from models.frozen import Frozen
from models.miniature import Miniature
from models.profile import MeleeWeapon
from models.queries import QUERIES, QUERY, Asked
from models.state import TableState
from models.verdict import Verdict
from models.words import Id, NotNegative, Positive


class Pair(Frozen):
    """Two miniatures, and what a camera cannot know of them: how long their weapons are, which way plain rims face."""

    a: Id
    b: Id
    reach_in: NotNegative | None = Field(None, description="melee reach of both; null: as on the card, else 0.5")
    range_in: Positive = Field(10.0, description="the range and the distance to ask about, in inches")
    facings_deg: dict[Id, float] = Field({}, description="which way the players say that miniatures look")


class Line(Frozen):
    """One line of the sheet. `title` has A and B for the two, and goes on with the length that `turns_on` names."""

    slot: str
    turns_on: Literal["range", "reach"] | None = Field(None, description="what the player told that decides here")
    title: str
    yes: str
    no: str
    verdict: Verdict | None = Field(description="null: still being worked out")


class Sheet(Frozen):
    """All lines for a pair. `reach_in` is what was asked about; null: each by its own card."""

    state_id: str
    a: Id
    b: Id
    reach_in: float | None
    range_in: float
    lines: tuple[Line, ...]


TOLD_FACING_SIGMA_DEG = 10.0  # how well a player points with a thumb
DEFAULT_REACH_IN = 0.5  # reach is printed on a card; half an inch is the shortest printed, so it promises least

_TOLD: dict[str, Literal["range", "reach"]] = {
    "range": "range", "within": "range", "completely": "range", "engaged": "reach", "melee": "reach",
}  # fmt: skip
_OUT_OF_ARC = "Not in front"
_TAKES_LONGER = frozenset({"sight", "engaged"})  # both look for a free line
_LINES: tuple[tuple[str, str, str, str, str, tuple[str, str]], ...] = (
    ("sight", "A sees B", "Clear", "Blocked", "los", ("viewer", "target")),
    ("distance", "Distance", "", "", "distance", ("a", "b")),
    ("range", "A shoots B", "In range", "Out of range", "range", ("attacker", "target")),
    ("engaged", "A engages B", "Engaged", "Not engaged", "engaged", ("attacker", "target")),
    ("front-ab", "B in A's front arc", "In front", "Not in front", "in-front-arc", ("viewer", "target")),
    ("front-ba", "A in B's front arc", "In front", "Not in front", "in-front-arc", ("target", "viewer")),
    ("melee", "A reaches B", "In reach", "Out of reach", "melee-range", ("attacker", "target")),
    ("contact", "Base to base", "Touching", "Apart", "b2b", ("a", "b")),
    ("back", "A wholly behind B", "Behind", "Not behind", "in-back-arc", ("target", "viewer")),
    ("within", "B within", "Within", "Beyond", "within", ("a", "b")),
    ("completely", "All of B within", "All within", "Not all", "completely-within", ("a", "b")),
)


def sheets_of(state: TableState, pair: Pair, *, ask: Ask) -> Iterator[Sheet]:
    """The sheet with what is quickly answered, then with each longer answer more; the last is whole.

    Raises: UnknownThing when one of the two is not on the table.
    """
    _both_stand(state, pair)
    reach_in = _reach_in(state, pair)
    supposed = supposed_of(state, pair, reach_in=reach_in)
    asked = {line[0]: _query(line[4], line[5], pair) for line in _LINES if state.edition in QUERIES[line[4]].EDITIONS}
    answered = {slot: ask(supposed, query) for slot, query in asked.items() if slot not in _TAKES_LONGER}
    yield _sheet(state, pair, reach_in=reach_in, asked=asked, answered=answered)
    for slot in (slot for slot in asked if slot in _TAKES_LONGER):
        answered[slot] = ask(supposed, asked[slot])
        yield _sheet(state, pair, reach_in=reach_in, asked=asked, answered=answered)


def sheet_of(state: TableState, pair: Pair, *, ask: Ask) -> Sheet:
    """Every line the edition can answer. Raises: UnknownThing when one of the two is not on the table."""
    (*_, whole) = sheets_of(state, pair, ask=ask)
    return whole


def _sheet(
    state: TableState, pair: Pair, *, reach_in: float | None, asked: dict[str, Asked], answered: dict[str, Verdict]
) -> Sheet:
    lines = tuple(
        Line(
            slot=slot,
            turns_on=_TOLD.get(slot),
            title=title,
            yes=yes,
            no=_no(no, answered.get(slot)),
            verdict=answered.get(slot),
        )
        for slot, title, yes, no, _, _ in _LINES
        if slot in asked
    )
    return Sheet(state_id=state.state_id, a=pair.a, b=pair.b, reach_in=reach_in, range_in=pair.range_in, lines=lines)


def _no(word: str, verdict: Verdict | None) -> str:
    """The word for no; what nothing blocks but the viewer's back is not called blocked."""
    by_arc = verdict is not None and verdict.kind == "los" and verdict.value.get("decided_by") == "arc"
    return _OUT_OF_ARC if by_arc else word


def _both_stand(state: TableState, pair: Pair) -> None:
    standing = {m.id for m in state.miniatures}
    for field, id_ in (("a", pair.a), ("b", pair.b), *(("facings_deg", id_) for id_ in pair.facings_deg)):
        if id_ not in standing:
            raise UnknownThing(f"there is no miniature {id_!r} on the table", field=field, value=id_)
    if pair.a == pair.b:
        raise BadQuery("a pair is two miniatures", field="b", value=pair.b)


def _query(kind: str, roles: tuple[str, str], pair: Pair) -> Asked:
    """The question with A in the first role and B in the second."""
    fields: dict[str, Any] = {"kind": kind, roles[0]: pair.a, roles[1]: pair.b}
    if "range_in" in QUERIES[kind].model_fields:
        fields["range_in"] = pair.range_in
    return QUERY.validate_python(fields)


def _reach_in(state: TableState, pair: Pair) -> float | None:
    """The reach to suppose; None when both cards tell it and nobody wants it otherwise."""
    if pair.reach_in is not None:
        return pair.reach_in
    has_card = all(m.profile.melee for m in state.miniatures if m.id in (pair.a, pair.b))
    return None if has_card else DEFAULT_REACH_IN


def supposed_of(state: TableState, pair: Pair, *, reach_in: float | None) -> TableState:
    """The table as the players say it is: with a weapon of this length in both hands, and facings as told."""
    armed = () if reach_in is None else (pair.a, pair.b)
    miniatures = state.miniatures
    miniatures = tuple(_turned(m, pair.facings_deg[m.id]) if m.id in pair.facings_deg else m for m in miniatures)
    miniatures = tuple(_armed(m, reach_in or 0.0) if m.id in armed else m for m in miniatures)
    return state if miniatures == state.miniatures else state.with_miniatures(miniatures)


def _turned(miniature: Miniature, facing_deg: float) -> Miniature:
    sigma = miniature.sigma.model_dump() | {"facing_deg": TOLD_FACING_SIGMA_DEG}
    told = {"facing_deg": facing_deg, "facing_alternatives": (), "sigma": sigma}
    return Miniature.model_validate(miniature.model_dump() | told)


def _armed(miniature: Miniature, reach_in: float) -> Miniature:
    weapon = MeleeWeapon(name="Melee", reach_in=reach_in)
    profile = miniature.profile.model_dump() | {"melee": (weapon,)}
    return Miniature.model_validate(miniature.model_dump() | {"profile": profile})
