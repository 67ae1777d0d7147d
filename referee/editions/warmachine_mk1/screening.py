"""Screening: an intervening model within an inch of the target, with a base as large, makes it harder to hit."""

from pydantic import JsonValue

from models.queries import Intervening, Los, Screening
from models.verdict import CAPPED_MM
from referee.candidates import in_play, is_met
from referee.clauses import all_of
from referee.editions.warmachine_mk1.looking import is_below, terrain_shows
from referee.editions.warmachine_mk1.parameters import SCREEN_BONUS, SCREEN_MM, because
from referee.editions.warmachine_prime.ground import size_mm
from referee.gaps import gap
from referee.ruling import Candidate, Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_SCREEN = because(
    "Screening, Prime p. 33", "An intervening model within 1 in of the target, its base no smaller, screens it: +2 DEF."
)
_NONE = because(
    "Screening, Prime p. 33", "Smaller bases, the knocked down, those lower than the target or hid by terrain never do."
)


def screening(table: Situation, query: Screening) -> Ruling:
    """Whether somebody screens the target. Source: Screening, Prime p. 33; Elevated models, Prime p. 34."""
    sight = table.ruled(Los(viewer=query.attacker, target=query.target))
    others = in_play(table, query.attacker, query.target)
    near = [id_ for id_ in others if gap(table.base(id_), table.base(query.target)).mm <= 3 * SCREEN_MM]
    members = tuple(_member(table, query, id_) for id_ in near)
    found = {m.id: m.ruling for m in members if m.ruling is not None}
    best = max(found, key=lambda id_: found[id_].decisive_mm, default=None)
    screens = best is not None and is_met(found[best]) and is_met(sight)
    seen: dict[str, JsonValue] = {"answer": "yes" if is_met(sight) else "no", "margin_mm": sight.margin_mm}
    value: dict[str, JsonValue] = {"bonus": SCREEN_BONUS if screens else 0, "bonus_to": "defence", "sight": seen}
    margin = -CAPPED_MM if best is None else min(found[best].decisive_mm, sight.decisive_mm)
    return Ruling(
        margin_mm=margin,
        value=value,
        members=members,
        witness=() if best is None else found[best].witness,
        because=(applied(table, _SCREEN, _told(table, best, screens, margin)), _NONE),
        touches=(query.attacker, query.target, *(() if best is None else (best,))),
        faces=(query.attacker,),
    )


def _told(table: Situation, best: str | None, screens: bool, margin_mm: float) -> str:
    if best is None:
        return "Nobody stands near it."
    how = f"screens it by {length(margin_mm)}" if screens else f"comes nearest to it, {length(-margin_mm)} short"
    return f"{name_of(table, best)} {how}."


def _member(table: Situation, query: Screening, id_: str) -> Candidate:
    def rule(asked: Situation) -> Ruling:
        return _one(asked, query, id_)

    return Candidate(id_, rule(table), rule)


def _one(table: Situation, query: Screening, id_: str) -> Ruling:
    """What one model needs to screen. Source: Screening, Prime p. 33; Elevation and LOS, p. 33; Knockdown, p. 49."""
    it, them = table.miniature(id_), table.miniature(query.target)
    apart = max(0.0, gap(table.base(id_), table.base(query.target)).mm)
    between = table.ruled(Intervening(viewer=query.attacker, target=query.target, blocker=id_))
    within = Ruling(
        margin_mm=SCREEN_MM - apart,
        because=(applied(table, _SCREEN, f"It is {length(apart)} from the target."),),
        touches=(id_, query.target),
    )
    plain = {
        "standing": not set(it.status) & {"knocked-down", "removed"},
        "size": size_mm(it) >= size_mm(them),
        "level": not is_below(table, id_, query.target),
        "shown": terrain_shows(table, query.attacker, id_),
    }
    clauses = [(name, _plain(held, id_)) for name, held in plain.items()]
    return all_of((*clauses, ("within", within), ("intervening", between)))


def _plain(held: bool, id_: str) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM if held else -CAPPED_MM, because=(_NONE,), touches=(id_,))
