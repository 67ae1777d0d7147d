"""Trench: cover and shelter for those wholly inside."""

from models.queries import Trench
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.parameters import because
from referee.geometry.containment import depth_of_base, reach_into
from referee.geometry.distance import area_gap
from referee.rules.candidates import answer_word
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least

_INSIDE = because("Trenches", 80, "Cover takes a base completely within one trench or several joined ones.")
_TOUCH = because("Trenches", 80, "An attacker touching a trench the target is in looks straight into it.")
_BLAST = because("Trenches", 80, "No blast hurts it unless the blast starts in a trench it touches.")
_NO_TRENCH = because("Trenches", 80, "It stands in no trench.")


def trench(table: ExactTable, query: Trench) -> RuleResult:
    """Trench: whether the target is wholly in trenches that the attacker does not touch; asked about a blast alone,
    whether that starts outside them.

    Source: Trenches, p. 80.
    """
    inside = check_inside_trenches(table, query.target)
    covered = inside if query.attacker is None else check_sheltered(table, query.target, query.attacker)
    immune = inside if query.origin is None else _check_blast_immunity(table, query.target, query.origin)
    result = immune if query.attacker is None and query.origin is not None else covered
    sure = answer_word(inside)
    return RuleResult(
        margin_mm=result.decisive_mm,
        zero_is_met=result.zero_is_met,
        value={
            "cover": answer_word(covered) == "yes",
            "blast_immune": answer_word(immune) == "yes",
            "screens": sure != "yes",
            "trenches": list(_trenches_near(table, query.target)),
        },
        lengths_mm={"inside": inside.decisive_mm} if abs(inside.decisive_mm) < CAPPED_MM else {},
        witness=tuple(_outline(table, id_) for id_ in _trenches_near(table, query.target)),
        because=result.because,
        readings=("trench-joined", "area-touch"),
        doubtful=result.doubtful,
        depends_on_place=result.depends_on_place,
    )


def check_sheltered(table: ExactTable, target: str, attacker: str | Point) -> RuleResult:
    """Whether the target has a trench's cover from this attacker. Source: Trenches, p. 80."""
    inside = check_inside_trenches(table, target)
    near = _trenches_near(table, target)
    if not near:
        return inside
    apart = min(area_gap(table.area(attacker), table.area(id_)).mm for id_ in near)
    outside = RuleResult(
        margin_mm=apart,
        zero_is_met=table.reading("area-touch") == "not-covered",
        because=(
            with_effect(
                table, _TOUCH, f"{name_of(table, attacker)} stands {format_length(max(0.0, apart))} from the trench."
            ),
        ),
        doubtful=("area-touch",) if abs(apart) < 1e-6 else (),
        depends_on_place=ids_that_matter(attacker, *near),
    )
    return all_of((("inside", inside), ("attacker-outside", outside)))


def check_inside_trenches(table: ExactTable, target: str) -> RuleResult:
    """Whether the base is completely within trenches. Source: Trenches, p. 80."""
    near = _trenches_near(table, target)
    if not near:
        return RuleResult(
            margin_mm=_off_mm(table, target), zero_is_met=False, because=(_NO_TRENCH,), depends_on_place=(target,)
        )
    base, every = table.base(target), tuple(table.area(id_) for id_ in _all_trenches(table))
    alone = max(depth_of_base(base, (area,)) for area in every)
    joined = depth_of_base(base, every)
    return RuleResult(
        margin_mm=alone if table.reading("trench-joined") == "one-must-hold-it" else joined,
        because=(with_effect(table, _INSIDE, _describe_inside(table, target, joined)),),
        doubtful=("trench-joined",) if (alone >= 0) != (joined >= 0) else (),
        depends_on_place=(target, *near),
    )


def _describe_inside(table: ExactTable, target: str, depth_mm: float) -> str:
    name = name_of(table, target)
    if depth_mm >= 0:
        return f"{name} lies wholly inside, by {format_length(depth_mm)}."
    return f"{format_length(-depth_mm)} of {name} are outside."


def _check_blast_immunity(table: ExactTable, target: str, origin: str | Point) -> RuleResult:
    inside, near = check_inside_trenches(table, target), _trenches_near(table, target)
    if not near:
        return inside
    apart = min(area_gap(table.area(origin), table.area(id_)).mm for id_ in near)
    reason = with_effect(
        table, _BLAST, f"It starts {format_length(abs(apart))} {'outside' if apart >= 0 else 'inside'} the trench."
    )
    outside = RuleResult(
        margin_mm=apart, zero_is_met=False, because=(reason,), depends_on_place=ids_that_matter(origin, *near)
    )
    return all_of((("inside", inside), ("blast-outside", outside)))


def _trenches_near(table: ExactTable, target: str) -> tuple[str, ...]:
    """The trenches the target is in or touches."""
    base = table.base(target)
    depths = {id_: reach_into(base, table.area(id_)) for id_ in _all_trenches(table)}
    return tuple(id_ for id_, mm in depths.items() if is_at_least(mm, 0.0, "touches", (target, id_)))


def _all_trenches(table: ExactTable) -> tuple[str, ...]:
    return tuple(t.id for t in table.state.terrain if t.kind == "trench")


def _off_mm(table: ExactTable, target: str) -> float:
    """How far outside the nearest trench it stands, as a negative margin."""
    base = table.base(target)
    reaches = [reach_into(base, table.area(id_)) for id_ in _all_trenches(table)]
    return max(reaches, default=-CAPPED_MM) - (2 * base.reach_mm if reaches else 0.0)


def _outline(table: ExactTable, id_: str) -> Witness:
    area = table.area(id_)
    if area.outline:
        return Witness(type="polygon", role="limit", points_mm=area.outline, of=(id_,))
    part = area.parts[0]
    return Witness(type="circle", role="limit", centre_mm=part.centre, radius_mm=part.reach_mm, of=(id_,))
