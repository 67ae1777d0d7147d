"""Putting things down: whether a base fits, and one base in another's place."""

from dataclasses import replace

from models.base import RoundBase
from models.queries import Placement, Replacement
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.candidates import in_play, is_met
from referee.clauses import all_of
from referee.editions.warmachine_prime.able import in_formation
from referee.editions.warmachine_prime.deploying import placed
from referee.editions.warmachine_prime.ground import is_colossus
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.room import ROOM, off_bases, off_terrain, on_table
from referee.gaps import area_gap, gap
from referee.ruling import Ruling
from referee.shapes import Rounded, disc
from referee.situation import Situation

_RANGE = because("Placed", 36, "It is placed where the rule that places it says.")
_FORMED = because("Placed", 36, "A trooper in formation is placed in formation, the commander aside.")
_NEVER = because("Colossal Movement", 67, "A colossal or gargantuan can never be placed.")
_REPLACE = because("Replacing Models", 36, "The smaller of the two bases lies completely within the larger.")
_SAME = because("Replacing Models", 36, "A base of the same size takes exactly the old one's place.")


def placement(table: Situation, query: Placement) -> Ruling:
    """Whether it may stand, or be placed, there. Source: Placed, p. 36; Colossal Movement, p. 67."""
    there = placed(table, query.mover, query.to)
    clauses: list[tuple[str, Ruling]] = [
        ("bases", off_bases(there, query.mover)),
        ("terrain", off_terrain(there, query.mover)),
        ("table", on_table(there, query.mover)),
    ]
    if query.manner == "placed":
        clauses.append(("kind", _placeable(there, query.mover)))
        clauses.append(("formation", _formed(table, there, query.mover)))
    if query.range_in is not None and query.of is not None:
        clauses.append(("range", _ranged(there, query, inches(query.range_in))))
    ruling = all_of(tuple(clauses))
    base = there.base(query.mover)
    spot = Witness(type="circle", role="hit", centre_mm=base.centre, radius_mm=base.reach_mm, of=(query.mover,))
    return replace(ruling, witness=(spot,), because=ruling.because or (ROOM,))


def _placeable(table: Situation, mover: str) -> Ruling:
    """Source: Colossal Movement, p. 67; Gargantuan Movement, p. 99."""
    never = is_colossus(table.miniature(mover))
    return Ruling(margin_mm=-CAPPED_MM if never else CAPPED_MM, because=(_NEVER,) if never else (), touches=(mover,))


def _formed(before: Situation, there: Situation, mover: str) -> Ruling:
    """Source: Placed, p. 36: who is in formation stays in it, the commander aside."""
    was = in_formation(before, mover)
    if was.status == "unknown" or not is_met(was):
        return Ruling(margin_mm=CAPPED_MM, touches=(mover,))
    now = in_formation(there, mover)
    alone = now.margin_mm is None or now.margin_mm >= CAPPED_MM
    return replace(now, because=() if alone else (_FORMED,))


def _ranged(table: Situation, query: Placement, limit: float) -> Ruling:
    """Source: Placed, p. 36; Measuring Distances, p. 12."""
    of = str(query.of)
    apart = max(0.0, area_gap(table.area(of), table.area(query.mover)).mm)
    return Ruling(margin_mm=limit - apart, because=(_RANGE,), touches=(query.mover, of))


def replacement(table: Situation, query: Replacement) -> Ruling:
    """Whether a base of another size may stand there in the old one's place. Source: Replacing Models, p. 36."""
    if not isinstance(query.base, RoundBase):
        return Ruling(status="refused", because=(_REPLACE,), advice="Prime's bases are round; tell a diameter.")
    old, new = table.base(query.mover), disc(query.to.at_mm, query.base.radius_mm)
    shift = gap(Rounded((old.centre,)), Rounded((new.centre,))).mm
    same = abs(old.radius_mm - new.radius_mm) < 1e-9
    tolerance = table.state.still_tolerance_mm if same else 0.0
    fits = Ruling(
        margin_mm=abs(old.radius_mm - new.radius_mm) - shift + tolerance,
        because=(_SAME if same else _REPLACE,),
        touches=(query.mover,),
    )
    ruling = all_of((("within", fits), ("room", _room_for(table, query.mover, new))))
    return replace(ruling, witness=tuple(_ring(at, radius) for at, radius in _rings(old, new)), readings=())


def _room_for(table: Situation, mover: str, new: Rounded) -> Ruling:
    """Source: Replacing Models, p. 36: there has to be room for the new base."""
    apart = [(gap(new, table.base(id_)).mm, id_) for id_ in in_play(table, mover)]
    least, nearest = min(apart, default=(CAPPED_MM, mover))
    margin = least if least < -table.state.contact_tolerance_mm else CAPPED_MM
    return Ruling(margin_mm=margin, because=(ROOM,), touches=(mover, nearest))


def _rings(old: Rounded, new: Rounded) -> tuple[tuple[Point, float], ...]:
    return ((old.centre, old.reach_mm), (new.centre, new.reach_mm))


def _ring(at: Point, radius: float) -> Witness:
    return Witness(type="circle", role="limit", centre_mm=at, radius_mm=radius)
