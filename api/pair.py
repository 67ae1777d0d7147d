"""Everything two players ask about two miniatures, the most argued-about first.

The phone shows these lines in this order and with these words; it knows no rule and no kind by itself.
"""

from collections.abc import Iterator

from pydantic import Field

from api.memory import Ask
from api.pair_lines import Both, Told, Wanted, failed, wanted
from models.errors import BadQuery, UnknownThing
from models.frozen import Frozen
from models.miniature import Miniature
from models.profile import MeleeWeapon
from models.queries import QUERY, Asked
from models.state import TableState
from models.units import MM_PER_INCH
from models.verdict import Answer, Verdict
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
    turns_on: Told | None = Field(None, description="what the player told that decides here")
    title: str
    yes: str
    no: str
    headline: str | None = Field(description="the answer in a word or a number; null: still being worked out")
    note: str | None = Field(None, description="what stands behind the headline, such as the modifiers of an attack")
    verdict: Verdict | None = Field(description="null: still being worked out")


class Sheet(Frozen):
    """All lines for a pair that matter. `reach_in` is what was asked about; null: each by its own card."""

    state_id: str
    is_whole: bool = Field(description="whether every line is answered and none will follow")
    a: Id
    b: Id
    reach_in: float | None
    range_in: float
    lines: tuple[Line, ...]


TOLD_FACING_SIGMA_DEG = 10.0  # how well a player points with a thumb
DEFAULT_REACH_IN = 0.5  # reach is printed on a card; half an inch is the shortest printed, so it promises least

_OUT_OF_ARC = "Not in front"


def sheets_of(state: TableState, pair: Pair, *, ask: Ask) -> Iterator[Sheet]:
    """The sheet with what is quickly answered, then with each longer answer more; the last is whole.

    Raises: UnknownThing when one of the two is not on the table.
    """
    _both_stand(state, pair)
    reach_in = _reach_in(state, pair)
    supposed = supposed_of(state, pair, reach_in=reach_in)
    a, b = (next(m for m in supposed.miniatures if m.id == id_) for id_ in (pair.a, pair.b))
    lines = wanted(supposed, Both(a, b, range_in=pair.range_in))
    answered: dict[str, Verdict] = {}

    def sheet() -> Sheet:
        shown = tuple(_shown(line, answered.get(line.slot)) for line in lines if _belongs(line, answered))
        head = {"a": pair.a, "b": pair.b, "reach_in": reach_in, "range_in": pair.range_in}
        return Sheet(state_id=state.state_id, is_whole=len(answered) == len(lines), lines=shown, **head)

    for line in (line for line in lines if not line.takes_long):
        answered[line.slot] = ask(supposed, _query(line))
    yield sheet()
    for line in (line for line in lines if line.takes_long):
        answered[line.slot] = ask(supposed, _query(line))
        if _belongs(line, answered) or len(answered) == len(lines):
            yield sheet()


def sheet_of(state: TableState, pair: Pair, *, ask: Ask) -> Sheet:
    """Every line the edition can answer and that matters.

    Raises: UnknownThing when one of the two is not on the table.
    """
    (*_, whole) = sheets_of(state, pair, ask=ask)
    return whole


def _belongs(line: Wanted, answered: dict[str, Verdict]) -> bool:
    """Whether it stands on the sheet as far as is known."""
    if line.matters is None:
        return True
    return line.slot in answered and line.matters(answered[line.slot])


def _query(line: Wanted) -> Asked:
    return QUERY.validate_python({"kind": line.kind, **line.fields})


def _shown(line: Wanted, verdict: Verdict | None) -> Line:
    no = _OUT_OF_ARC if verdict is not None and _is_by_arc(verdict) else line.no
    return Line(
        slot=line.slot,
        turns_on=line.turns_on,
        title=line.title,
        yes=line.yes,
        no=no,
        headline=None if verdict is None else _headline(verdict, line.yes, no),
        note=None if verdict is None else _note(verdict),
        verdict=verdict,
    )


def _is_by_arc(verdict: Verdict) -> bool:
    """What nothing blocks but the viewer's back is not called blocked."""
    return verdict.kind == "los" and verdict.value.get("decided_by") == "arc"


def _headline(verdict: Verdict, yes: str, no: str) -> str:
    """The answer in a word or a number, as a player says it."""
    if verdict.status in ("unknown", "refused"):
        return "Cannot tell" if verdict.status == "unknown" else "Not now"
    if verdict.answer is not None:
        return {Answer.YES: yes, Answer.NO: no, Answer.TOO_CLOSE: "Too close"}[verdict.answer]
    if isinstance(total := verdict.value.get("total"), int | float):
        return f"{total:+g} to hit".replace("-", "\u2212")
    if isinstance(grid := verdict.value.get("grid"), str):
        return grid.capitalize()
    return f"{verdict.measured[0].value_mm / MM_PER_INCH:.2f}\u2033" if verdict.measured else "Measured"


def _note(verdict: Verdict) -> str | None:
    """What stands behind the headline: the modifiers of an attack, or what keeps it from being made."""
    if verdict.kind == "attack-modifiers":
        told = verdict.value.get("modifiers")
        found = [one for one in told if isinstance(one, dict)] if isinstance(told, list) else []
        return ", ".join(f"{one['name']} {one['bonus']:+g}" for one in found) or None
    return ", ".join(failed(verdict)) or None


def _both_stand(state: TableState, pair: Pair) -> None:
    standing = {m.id for m in state.miniatures}
    for field, id_ in (("a", pair.a), ("b", pair.b), *(("facings_deg", id_) for id_ in pair.facings_deg)):
        if id_ not in standing:
            raise UnknownThing(f"there is no miniature {id_!r} on the table", field=field, value=id_)
    if pair.a == pair.b:
        raise BadQuery("a pair is two miniatures", field="b", value=pair.b)


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
