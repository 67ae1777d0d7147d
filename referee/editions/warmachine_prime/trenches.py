"""Trenches: cover and shelter for those wholly inside."""

from models.queries import Trench
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.areas import depth_of_base, reach_into
from referee.candidates import word
from referee.clauses import all_of
from referee.editions.warmachine_prime.distances import touched
from referee.editions.warmachine_prime.parameters import because
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_INSIDE = because("Trenches", 80, "Cover takes a base completely within one trench or several joined ones.")
_TOUCH = because("Trenches", 80, "An attacker touching a trench the target is in looks straight into it.")
_BLAST = because("Trenches", 80, "No blast hurts it unless the blast starts in a trench it touches.")
_NO_TRENCH = because("Trenches", 80, "It stands in no trench.")


def trench(table: Situation, query: Trench) -> Ruling:
    """Whether the target is wholly in trenches that the attacker does not touch; asked about a blast alone, whether
    that starts outside them. Source: Trenches, p. 80.
    """
    inside = inside_trenches(table, query.target)
    covered = inside if query.attacker is None else sheltered(table, query.target, query.attacker)
    immune = inside if query.origin is None else _immune(table, query.target, query.origin)
    ruling = immune if query.attacker is None and query.origin is not None else covered
    sure = word(inside)
    return Ruling(
        margin_mm=ruling.decisive_mm,
        zero_is_met=ruling.zero_is_met,
        value={
            "cover": word(covered) == "yes",
            "blast_immune": word(immune) == "yes",
            "screens": sure != "yes",
            "trenches": list(_near(table, query.target)),
        },
        lengths_mm={"inside": inside.decisive_mm} if abs(inside.decisive_mm) < CAPPED_MM else {},
        witness=tuple(_outline(table, id_) for id_ in _near(table, query.target)),
        because=ruling.because,
        readings=("trench-joined", "area-touch"),
        doubtful=ruling.doubtful,
        touches=ruling.touches,
    )


def sheltered(table: Situation, target: str, attacker: str | Point) -> Ruling:
    """Whether the target has a trench's cover from this attacker. Source: Trenches, p. 80."""
    inside = inside_trenches(table, target)
    near = _near(table, target)
    if not near:
        return inside
    apart = min(area_gap(table.area(attacker), table.area(id_)).mm for id_ in near)
    outside = Ruling(
        margin_mm=apart,
        zero_is_met=table.reading("area-touch") == "not-covered",
        because=(
            applied(table, _TOUCH, f"{name_of(table, attacker)} stands {length(max(0.0, apart))} from the trench."),
        ),
        doubtful=("area-touch",) if abs(apart) < 1e-6 else (),
        touches=touched(attacker, *near),
    )
    return all_of((("inside", inside), ("attacker-outside", outside)))


def inside_trenches(table: Situation, target: str) -> Ruling:
    """Whether the base is completely within trenches. Source: Trenches, p. 80."""
    near = _near(table, target)
    if not near:
        return Ruling(margin_mm=_off_mm(table, target), zero_is_met=False, because=(_NO_TRENCH,), touches=(target,))
    base, every = table.base(target), tuple(table.area(id_) for id_ in _every(table))
    alone = max(depth_of_base(base, (area,)) for area in every)
    joined = depth_of_base(base, every)
    return Ruling(
        margin_mm=alone if table.reading("trench-joined") == "one-must-hold-it" else joined,
        because=(applied(table, _INSIDE, _inside_told(table, target, joined)),),
        doubtful=("trench-joined",) if (alone >= 0) != (joined >= 0) else (),
        touches=(target, *near),
    )


def _inside_told(table: Situation, target: str, depth_mm: float) -> str:
    who = name_of(table, target)
    if depth_mm >= 0:
        return f"{who} lies wholly inside, by {length(depth_mm)}."
    return f"{length(-depth_mm)} of {who} are outside."


def _immune(table: Situation, target: str, origin: str | Point) -> Ruling:
    inside, near = inside_trenches(table, target), _near(table, target)
    if not near:
        return inside
    apart = min(area_gap(table.area(origin), table.area(id_)).mm for id_ in near)
    told = applied(table, _BLAST, f"It starts {length(abs(apart))} {'outside' if apart >= 0 else 'inside'} the trench.")
    outside = Ruling(margin_mm=apart, zero_is_met=False, because=(told,), touches=touched(origin, *near))
    return all_of((("inside", inside), ("blast-outside", outside)))


def _near(table: Situation, target: str) -> tuple[str, ...]:
    """The trenches the target is in or touches."""
    base = table.base(target)
    return tuple(id_ for id_ in _every(table) if reach_into(base, table.area(id_)) >= -1e-9)


def _every(table: Situation) -> tuple[str, ...]:
    return tuple(t.id for t in table.state.terrain if t.kind == "trench")


def _off_mm(table: Situation, target: str) -> float:
    """How far outside the nearest trench it stands, as a negative margin."""
    base = table.base(target)
    reaches = [reach_into(base, table.area(id_)) for id_ in _every(table)]
    return max(reaches, default=-CAPPED_MM) - (2 * base.reach_mm if reaches else 0.0)


def _outline(table: Situation, id_: str) -> Witness:
    area = table.area(id_)
    if area.outline:
        return Witness(type="polygon", role="limit", points_mm=area.outline, of=(id_,))
    part = area.parts[0]
    return Witness(type="circle", role="limit", centre_mm=part.centre, radius_mm=part.reach_mm, of=(id_,))
