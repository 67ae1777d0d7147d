"""Free strike: an engaged model leaves reach or sight on its way."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from models.queries import FreeStrike
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.melee.attack_eligibility import check_formation, check_sight, why_may_not_attack
from referee.editions.warmachine.melee.in_melee import enemies
from referee.editions.warmachine.melee.melee_range import answer_unarmed, check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.arcs import arc_depth_mm
from referee.editions.warmachine.miniatures.base_state import is_incorporeal, size_mm
from referee.editions.warmachine.miniatures.turn_ledger import HELPLESS
from referee.editions.warmachine.movement.path import path_of
from referee.editions.warmachine.parameters import MEDIUM_MM, SPILL_REACH_MM, because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import gap
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.conditions import any_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult, ask_for
from referee.rules.switches import is_at_least, is_out_of_reach

_STRIKE = because("Free Strikes", 44, "Who advances out of an enemy's reach or sight is struck just before it does.")
_FORCED = because("Unintentional Movement", 34, "Being pushed, slammed, thrown or placed draws no free strikes.")
_PARRY = because("Advantages", 17, "Nobody makes free strikes against Parry.")
_NOBODY = because("Free Strikes", 44, "No enemy that could strike had it engaged on its way.")
_UNABLE = because("Free Strikes", 44, "It cannot make a free strike now.")
_UNDER = because("Trample", 48, "Small bases that a trampling model runs over do not strike at it.")
_STEP_MM = 3.0
_JUST_BEFORE_MM = 1.0
_CLOSE_MM = 25.4  # only this near to reach is sight looked at
_HALVINGS = 24  # of a step: the way out to less than a nanometre


@dataclass(frozen=True)
class Moment:
    """How the mover stands to one enemy after some way: the margins of reach and sight, the lesser of which counts."""

    after_mm: float
    reach_mm: float
    sight_mm: float

    @property
    def margin_mm(self) -> float:
        return min(self.reach_mm, self.sight_mm)


def free_strike(table: ExactTable, query: FreeStrike) -> RuleResult:
    """Free strike: whether an enemy may strike as it goes; staying just within is no leaving.

    Source: Free Strikes, p. 44.
    """
    mover = table.miniature(query.mover)
    if query.cause in ("pushed", "slammed", "thrown", "placed"):
        return RuleResult(margin_mm=-CAPPED_MM, because=(_FORCED,), depends_on_place=(query.mover,))
    if mover.has("parry"):
        return RuleResult(margin_mm=-CAPPED_MM, because=(_PARRY,), depends_on_place=(query.mover,))
    path = _path(table, query)
    if path is None:
        return ask_for("path_mm", because=(_STRIKE,), on=(query.mover,))

    run_over = _list_run_over(table, query.mover, path) if query.cause == "trample" else frozenset[str]()

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        if id_ in run_over:
            return RuleResult(margin_mm=-CAPPED_MM, because=(_STRIKE, _UNDER), depends_on_place=(id_,))
        return _check_enemy(perturbed, query.mover, id_, path)

    near = _enemies_near_path(table, query.mover, path)
    results = tuple(about(table, id_) for id_ in near)
    members = evaluate_each(table, near, about)
    if not results:
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"by_id": {}}, because=(_STRIKE, _NOBODY), depends_on_place=(query.mover,)
        )
    exits = {id_: r.value["exit"] for id_, r in zip(near, results, strict=True) if "exit" in r.value}
    line = Witness(type="polyline", role="path", points_mm=path, of=(query.mover,))
    best = any_of(results)
    return replace(best, value={"by_id": exits}, witness=(line, *best.witness), members=members)


def _path(table: ExactTable, query: FreeStrike) -> tuple[Point, ...] | None:
    """The way of its base centre: told, else tracked, else straight from where it stood before."""
    mover = table.miniature(query.mover)
    if query.path_mm is not None:
        path = query.path_mm
        return path if len(path) > 1 else (mover.at_mm, *path)
    if mover.this_turn.path_mm is not None and len(mover.this_turn.path_mm) > 1:
        return mover.this_turn.path_mm
    return None if mover.before is None else (mover.before.at_mm, mover.at_mm)


def _list_run_over(table: ExactTable, mover: str, path: tuple[Point, ...]) -> frozenset[str]:
    """The small bases its own base meets on the way. Source: Trample, p. 48."""
    small = (id_ for id_ in enemies(table, mover) if size_mm(table.miniature(id_)) < MEDIUM_MM)
    reach = table.base(mover).reach_mm
    return frozenset(id_ for id_ in small if _is_run_over(table, mover, id_, reach, path))


def _is_run_over(table: ExactTable, mover: str, id_: str, reach_mm: float, path: tuple[Point, ...]) -> bool:
    off = min(_off_leg(table.centre(id_), a, b) for a, b in pairwise(path))
    return is_at_least(reach_mm + table.base(id_).reach_mm, off, "is run over by", (id_, mover))


def _enemies_near_path(table: ExactTable, mover: str, path: tuple[Point, ...]) -> tuple[str, ...]:
    """The enemies whose reach the path comes near."""
    near = []
    for id_ in enemies(table, mover):
        reach = max(weapon_reaches(table.miniature(id_)).values(), default=0.0)
        close = 2 * _CLOSE_MM if reach else SPILL_REACH_MM
        closest = min(_off_leg(table.centre(id_), a, b) for a, b in pairwise(path))
        apart = closest - table.base(mover).reach_mm - table.base(id_).reach_mm
        if not is_out_of_reach(apart, reach + close):
            near.append(id_)
    return tuple(near)


def _off_leg(p: Point, a: Point, b: Point) -> float:
    length2 = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    along = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / (length2 or 1.0)
    t = min(1.0, max(0.0, along))
    return math.dist(p, (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))


def _check_enemy(table: ExactTable, mover: str, enemy: str, path: tuple[Point, ...]) -> RuleResult:
    """Whether this enemy may strike: it had the mover engaged, and later has not."""
    asked = ("free strike", mover, enemy, path)
    return table.evaluate_memoized(
        asked, lambda on: _answer_watch(Watch(on, mover, enemy, path_of(on, mover, path) or path))
    )


def _answer_watch(watch: "Watch") -> RuleResult:
    table, mover, enemy = watch.table, watch.mover, watch.enemy
    if _is_barred(table, mover, enemy):
        return RuleResult(margin_mm=-CAPPED_MM, because=(_STRIKE, _UNABLE), depends_on_place=(enemy,))
    if not weapon_reaches(table.miniature(enemy)):
        return answer_unarmed(table, enemy, _STRIKE, _UNABLE)
    moments = [watch.moment_at(after) for after in _inspected_mm(watch)]
    first = next((k for k, m in enumerate(moments) if m.margin_mm >= 0), None)
    held = max(_best_hold_and_exit_mm(moments), -CAPPED_MM)  # over zero where it is held and gets out, and only there
    if first is None:
        never = f"It never comes into the reach and sight of {name_of(table, enemy)}."
        return _answer_margin(watch, max(m.margin_mm for m in moments), held, never)
    past = -moments[_moment_nearest_exit([m.margin_mm for m in moments], first)].margin_mm
    if past <= 0:
        stays = f"It stays within reach and sight of {name_of(table, enemy)}, by at least {format_length(-past)}."
        return _answer_margin(watch, past, held, stays)
    left = next(k for k in range(first, len(moments)) if moments[k].margin_mm < 0)
    gone = watch.exit_between(moments[left - 1].after_mm, moments[left].after_mm)
    at = _point_along(watch.path, gone.after_mm)
    lost = "reach" if moments[left].reach_mm < 0 else "sight"
    shut = _find_obstruction(watch, gone.after_mm)
    if shut is not None:
        return shut
    times = sum(before.margin_mm >= 0 > after.margin_mm for before, after in pairwise(moments))  # in reach, then not
    return replace(
        _answer_margin(watch, past, held, _describe_leaving(table, enemy, lost, gone.after_mm, past)),
        value={"exit": {"at_mm": list(at), "after_mm": gone.after_mm, "lost": lost, "times": times}},
        witness=(Witness(type="point", role="limit", points_mm=(at,), of=(mover, enemy)),),
    )


def _answer_margin(watch: "Watch", margin_mm: float, held_mm: float, effect: str) -> RuleResult:
    """By how much it leaves; `held_mm` says besides whether it was held at all, which a nudge may change."""
    return RuleResult(
        margin_mm=margin_mm,
        slack_mm=min(margin_mm, held_mm),
        zero_is_met=False,
        because=(with_effect(watch.table, _STRIKE, effect),),
        depends_on_place=(watch.mover, watch.enemy),
        depends_on_facing=(watch.enemy,),
    )


def _find_obstruction(watch: "Watch", after_mm: float) -> RuleResult | None:
    """What keeps the blow from it at its last spot in reach, in a book where a blow takes a line of its own.

    Who leaves over the arc line has but a point of its base left in front there: it is struck just before.
    """
    table, mover, enemy = watch.table, watch.mover, watch.enemy
    free, at = terms_of(table).free_line, _point_along(watch.path, after_mm)
    if arc_depth_mm(table.with_end(mover, at), enemy, mover) < _JUST_BEFORE_MM:
        at = _point_along(watch.path, max(0.0, after_mm - _JUST_BEFORE_MM))
    if free is None or table.reading("free-strike-shielded") == "strike":
        return None
    reach = max(weapon_reaches(table.miniature(enemy)).values(), default=0.0)
    line = free(table.with_end(mover, at), enemy, mover, reach)
    return (
        None
        if is_met(line, "has a line for a free strike at")
        else replace(line, zero_is_met=False, because=(_STRIKE, *line.because))
    )


def _describe_leaving(table: ExactTable, enemy: str, lost: str, after_mm: float, past_mm: float) -> str:
    whose = name_of(table, enemy)
    return f"After {format_length(after_mm)} it leaves the {lost} of {whose}, and goes {format_length(past_mm)} beyond."


def _inspected_mm(watch: "Watch") -> tuple[float, ...]:
    """Where along the path it is looked at: all along, but on a perturbed table only where the exact one decided."""
    if not watch.table.margins_only:
        return tuple(_inspection_mm(watch))
    still = replace(watch, table=watch.table.unperturbed)
    what = f"free strike of {watch.mover} along {watch.path}"
    return still.table.memoize_for(what, watch.enemy, lambda: _decisive_mm(still))


def _decisive_mm(watch: "Watch") -> tuple[float, ...]:
    """The moments of the best hold, of the way out of it, and the worst one after it."""
    stops = tuple(_inspection_mm(watch))
    margins = [watch.moment_at(after).margin_mm for after in stops]
    first = next((k for k, margin in enumerate(margins) if margin >= 0), None)
    pair = _best_pair(margins)
    if first is None:
        marks = {max(range(len(stops)), key=lambda k: margins[k]), *pair}
    else:
        worst = _moment_nearest_exit(margins, first)
        left = next((k for k in range(first, len(stops)) if margins[k] < 0), worst)
        marks = {first, max(range(worst + 1), key=lambda k: margins[k]), left, worst, *pair}
    return tuple(stops[k] for k in sorted(marks))


def _moment_nearest_exit(margins: list[float], first: int) -> int:
    """The moment at which it is farthest out after it was farther in; the last where it only comes nearer."""
    held, leaving = -math.inf, []
    for k in range(first, len(margins)):
        leaving += [k] if margins[k] < held else []
        held = max(held, margins[k])
    return min(leaving, key=lambda k: margins[k], default=len(margins) - 1)


def _best_hold_and_exit_mm(moments: list[Moment]) -> float:
    """The best over all pairs of moments: engaged by this much first, out of it by this much later."""
    margins = [moment.margin_mm for moment in moments]
    pair = _best_pair(margins)
    return min(margins[pair[0]], -margins[pair[1]]) if pair else -math.inf


def _best_pair(margins: list[float]) -> tuple[int, int] | tuple[()]:
    """The moment at which it is held and the later one at which it is out that decide; none of a single moment.

    Of several that do as well it is the one farthest out, which stays out when things are moved a little.
    """
    best, most = 0, (-math.inf, -math.inf)
    pair: tuple[int, int] | tuple[()] = ()
    for k in range(1, len(margins)):
        spare = min(margins[best], -margins[k]), -margins[k]
        if spare > most:
            most, pair = spare, (best, k)
        best = k if margins[k] > margins[best] else best
    return pair


def _is_barred(table: ExactTable, mover: str, enemy: str) -> bool:
    """Source: Free Strikes, p. 44; Incorporeal, p. 17; Out of Formation, p. 64; Wild Warbeasts, p. 103."""
    me = table.miniature(enemy)
    ghost = is_incorporeal(me) and not terms_of(table).incorporeal_strike_freely
    down = any(status in table.miniature(mover).status for status in HELPLESS)
    return ghost or down or why_may_not_attack(table, enemy) is not None or _is_lost(table, enemy)


def _is_lost(table: ExactTable, enemy: str) -> bool:
    formed = check_formation(table, enemy)
    return formed.status == "decided" and not is_met(formed, "is in formation with")


def _inspection_mm(watch: "Watch") -> Iterator[float]:
    """Lengths along the path at which it is looked at: both ends, corners, and every few millimetres near the enemy."""
    gone, at, far = 0.0, watch.table.centre(watch.enemy), watch.far_mm
    for a, b in pairwise(watch.path):
        leg = math.dist(a, b)
        steps = max(1, math.ceil(leg / _STEP_MM))
        first, last = _stretch_near(a, b, at, far)
        yield gone
        yield from (gone + leg * k / steps for k in range(max(1, math.ceil(first * steps)), math.ceil(last * steps)))
        gone += leg
    yield gone


def _stretch_near(a: Point, b: Point, at: Point, far_mm: float) -> tuple[float, float]:
    """The shares of a leg between which it is no farther than this from a point; none of it where first is last."""
    dx, dy, leg2 = b[0] - a[0], b[1] - a[1], math.dist(a, b) ** 2
    if leg2 == 0:
        return 0.0, 1.0
    foot = ((at[0] - a[0]) * dx + (at[1] - a[1]) * dy) / leg2
    half2 = (far_mm**2 - math.dist(at, (a[0] + foot * dx, a[1] + foot * dy)) ** 2) / leg2
    half = math.sqrt(max(0.0, half2))
    return min(1.0, max(0.0, foot - half)), min(1.0, max(0.0, foot + half))


def _point_along(path: tuple[Point, ...], after_mm: float) -> Point:
    for a, b in pairwise(path):
        leg = math.dist(a, b)
        if after_mm <= leg:
            t = after_mm / leg if leg > 0 else 0.0
            return (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
        after_mm -= leg
    return path[-1]


@dataclass(frozen=True)
class Watch:
    """One enemy who watches the mover go."""

    table: ExactTable
    mover: str
    enemy: str
    path: tuple[Point, ...]
    seen: dict[float, float] = field(default_factory=dict)
    """The margins of sight found so far, by how far it had gone."""

    @property
    def far_mm(self) -> float:
        """Farther than this from centre to centre it is out of reach by more than it can have been within."""
        reach = max(weapon_reaches(self.table.miniature(self.enemy)).values(), default=0.0)
        return 2 * (reach + sum(self.table.base(id_).reach_mm for id_ in (self.mover, self.enemy))) + _CLOSE_MM

    def moment_at(self, after_mm: float) -> Moment:
        moved = self.table.with_end(self.mover, _point_along(self.path, after_mm))
        reach = check_reach(moved, self.enemy, self.mover, weapon_reaches(moved.miniature(self.enemy)))
        if reach.status == "unknown":
            return Moment(after_mm, -CAPPED_MM, -CAPPED_MM)
        margin = reach.decisive_mm
        by_reach = terms_of(self.table).free_line is not None  # there, only reach is left
        if (
            by_reach or margin < -_STEP_MM or self._is_surely_in_sight(after_mm, margin)
        ):  # out of reach anyhow, or in the open
            return Moment(after_mm, margin, CAPPED_MM)
        sight = check_sight(moved, self.enemy, self.mover, purpose="melee")
        sight_mm = sight.decisive_mm if sight.status == "decided" else CAPPED_MM
        self.seen[after_mm] = sight_mm
        return Moment(after_mm, margin, sight_mm)

    def exit_between(self, inside_mm: float, outside_mm: float) -> Moment:
        """The last moment in reach and sight, between one within and one without."""
        for _ in range(0 if self.table.margins_only else _HALVINGS):
            half = (inside_mm + outside_mm) / 2
            if self.moment_at(half).margin_mm >= 0:
                inside_mm = half
            else:
                outside_mm = half
        return self.moment_at(inside_mm)

    def _is_surely_in_sight(self, after_mm: float, by_mm: float) -> bool:
        """Whether sight cannot be the lesser margin here.

        Among bases alone a lane narrows by no more than the mover goes, so what was seen nearby tells enough.
        """
        hides = self._screen_id
        if hides == "nothing":
            return True
        return hides == "bases" and any(s - abs(after_mm - at) > by_mm for at, s in self.seen.items())

    @property
    def _screen_id(self) -> str:
        """What stands near enough to the enemy to come between it and a mover in its reach."""
        still = self.table.unperturbed
        return still.memoize_for(
            f"in the way of {self.mover}", self.enemy, lambda: _find_screen(still, self.mover, self.enemy)
        )


def _find_screen(table: ExactTable, mover: str, enemy: str) -> str:
    reach = max(weapon_reaches(table.miniature(enemy)).values(), default=0.0)
    around = table.base(enemy).grow(reach + 2 * table.base(mover).reach_mm + _CLOSE_MM)
    if any(gap(around, part).mm <= 0 for id_ in table.ground_ids for part in table.area(id_).parts):
        return "ground"
    near = any(gap(around, table.base(id_)).mm <= 0 for id_ in in_play(table, mover, enemy))
    return "bases" if near else "nothing"
