"""Units at the blow and after flight: the shield wall, rallying, and charges of a whole unit."""

import math

from pydantic import JsonValue

from models.queries import ChargeUnit, CommandRange, DamageArc, Formation, Rally, ShieldWall
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.candidates import in_play
from referee.clauses import listed_margins
from referee.editions.warmachine_mk1.formations import Rank, rank_slack
from referee.editions.warmachine_mk1.parameters import because
from referee.gaps import gap
from referee.ruling import Candidate, Ruling
from referee.sides import are_enemies
from referee.situation import Situation
from referee.telling import applied, length, name_of

_WALL = because("Shield Wall; Deviation, Prime p. 48", "Ordered, standing in a rank, and hit from the front: +4 ARM.")
_RALLY = because("Rallying, Prime p. 58", "With its leader's unit, or near a Commander, it turns to its nearest enemy.")
_CHARGE = because("Unit charges, Prime p. 35", "Each trooper runs or charges, and ends in formation.")
_WALL_BONUS = 4


def shield_wall(table: Situation, query: ShieldWall) -> Ruling:
    """Whether the wall protects it from that. Source: Shield Wall; Deviation, Prime p. 48; Q/A on slams."""
    me = table.miniature(query.target)
    unit = next((u for u in table.state.units if u.id == me.unit), None)
    ids = [m.id for m in table.state.miniatures if m.unit is not None and m.unit == me.unit]
    ordered = "shield-wall" in me.status or (unit is not None and "shield-wall" in unit.orders)
    place = rank_slack(table, me.id, ids) if len(ids) > 1 else Rank(-CAPPED_MM, "alone", ())
    arc = table.ruled(DamageArc(target=query.target, attacker=query.attacker, origin=query.origin))
    clauses = {
        "ordered": CAPPED_MM if ordered else -CAPPED_MM,
        "in-rank": place.mm,
        "from-the-front": arc.decisive_mm if arc.margin_mm is not None else CAPPED_MM,
    }
    margin = min(clauses.values())
    return Ruling(
        margin_mm=margin,
        value={
            "neighbours": [*place.near],
            "bonus": _WALL_BONUS if margin >= 0 else 0,
            "bonus_to": "armour",
            "clauses": listed_margins(clauses),
        },
        witness=arc.witness,
        because=(applied(table, _WALL, _decides(clauses)),),
        readings=("shield-wall-needs", "rank-contact-in"),
        touches=tuple(dict.fromkeys((query.target, *place.near, *arc.touches))),
        faces=(query.target,),
    )


def _decides(clauses: dict[str, float]) -> str:
    """What comes nearest to failing, and by how much it holds or fails."""
    name = min(clauses, key=lambda n: clauses[n])
    margin = clauses[name]
    how = f"holds by {length(margin)}" if margin >= 0 else f"fails by {length(-margin)}"
    return f"It stands and is {name.replace('-', ' ')}: that {how}."


def rally(table: Situation, query: Rally) -> Ruling:
    """Whether it may rally, and where it looks then. Source: Rallying, Prime p. 58; Remix p. 76."""
    me = table.miniature(query.who)
    if "fleeing" not in me.status:
        return Ruling(margin_mm=-CAPPED_MM, value={"facing_deg": None}, because=(_RALLY,), touches=(me.id,))
    foes = [o for o in in_play(table, me.id) if are_enemies(table.state, me, table.miniature(o))]
    nearest = min(foes, key=lambda o: gap(table.base(me.id), table.base(o)).mm, default=None)
    troop = [
        m for m in table.state.miniatures if me.unit is not None and m.unit == me.unit and "removed" not in m.status
    ]
    together = troop if all("fleeing" in m.status for m in troop) else []
    found = [_helped(table, me.id, me.unit, whole=bool(together))]
    found += [
        table.ruled(CommandRange(commander=c.id, who=who, purpose="rally"))
        for c in table.state.miniatures
        for who in dict.fromkeys((me.id, *(m.id for m in together)))
        if c.has("commander") and c.side == me.side and c.id != who and "removed" not in c.status
    ]
    best = max((r for r in found if r.status == "decided"), key=lambda r: r.decisive_mm)
    value: dict[str, JsonValue] = {"facing_deg": None if nearest is None else _bearing(table, me.id, nearest)}
    told = "Nobody is there to turn to." if nearest is None else f"It turns to {name_of(table, nearest)}."
    return Ruling(
        margin_mm=best.decisive_mm,
        value=value,
        because=(applied(table, _RALLY, f"{_spare(best.decisive_mm)} {told}"),),
        touches=tuple(dict.fromkeys((me.id, *best.touches, *([nearest] if nearest else [])))),
    )


def _spare(margin_mm: float) -> str:
    """By how much somebody is near enough to help it."""
    if abs(margin_mm) >= CAPPED_MM:
        return "Nobody has to be near." if margin_mm > 0 else "Nobody can help it."
    return f"Help is near by {length(margin_mm)}." if margin_mm >= 0 else f"Help is {length(-margin_mm)} too far."


def _bearing(table: Situation, who: str, other: str) -> float:
    (x, y), (ox, oy) = table.centre(who), table.centre(other)
    return math.degrees(math.atan2(oy - y, ox - x)) % 360.0


def _helped(table: Situation, who: str, unit: str | None, *, whole: bool) -> Ruling:
    """A solo needs nobody; a trooper its leader's formation, and a unit that flees whole its leader on the table.

    Source: Rallying, Prime p. 58; Remix p. 76.
    """
    leader = next((u.commander for u in table.state.units if u.id == unit), None)
    present = leader in table.miniatures and "removed" not in table.miniature(leader or "").status
    if unit is None or (whole and present):
        return Ruling(margin_mm=CAPPED_MM, touches=(who,))
    if not present:
        return Ruling(margin_mm=-CAPPED_MM, touches=(who,))
    found = table.ruled(Formation(unit=unit, who=who))
    return found if found.margin_mm is not None else Ruling(margin_mm=-CAPPED_MM, touches=(who,))


def charge_unit(table: Situation, query: ChargeUnit) -> Ruling:
    """Whether all of a unit that was ordered to charge end in formation. Source: Unit charges, Prime p. 35."""
    unit = table.state.by_id[query.unit]
    assert isinstance(unit, Unit)
    for move in query.moves or ():
        table = table.placed(move.mover, move.path_mm[-1])
    formed = table.ruled(Formation(unit=query.unit))
    if formed.status != "measured":
        return formed
    members = tuple(one if query.moves else _trooper(table, one) for one in formed.members)
    margins = {one.id: one.ruling.margin_mm for one in members if one.ruling is not None}
    worst = min(margins, key=lambda id_: margins[id_] or 0.0, default=None)
    return Ruling(
        margin_mm=CAPPED_MM if worst is None else margins[worst],
        value={"by_id": {id_: {"moved": _did(table, id_)} for id_ in margins}},
        members=members,
        because=(applied(table, _CHARGE, _ends(worst, margins)),),
        readings=("charge-order", "unit-spacing"),
        touches=() if worst is None else (worst,),
    )


def _ends(worst: str | None, margins: dict[str, float | None]) -> str:
    """Who comes nearest to ending out of formation."""
    if worst is None:
        return "Nobody is there."
    margin = margins[worst] or 0.0
    return f"{worst} ends in formation by {length(margin)}." if margin >= 0 else f"{worst} lacks {length(-margin)}."


def _trooper(table: Situation, one: Candidate) -> Candidate:
    """In formation at the end, and having run or charged."""
    if one.ruling is None or _did(table, one.id) != "neither":
        return one
    missed = Ruling(margin_mm=-CAPPED_MM, touches=(one.id,))
    return Candidate(one.id, missed, lambda _: missed)


def _did(table: Situation, id_: str) -> str:
    moved = table.miniature(id_).this_turn.moved
    return "charge" if "charge" in moved else "run" if "run" in moved else "neither" if moved else "not-yet"
