"""Free strikes: an engaged model leaves reach or sight on its way."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from models.profile import Profile
from models.queries import FreeStrike
from models.verdict import CAPPED_MM, Witness
from models.words import Point
from referee.candidates import considered, in_play, is_met
from referee.clauses import any_of
from referee.editions.warmachine_prime.able import in_formation, sight_of, why_unable
from referee.editions.warmachine_prime.ground import is_incorporeal, size_mm
from referee.editions.warmachine_prime.in_melee import enemies
from referee.editions.warmachine_prime.melee import HELPLESS, reach_ruling, weapon_reaches
from referee.editions.warmachine_prime.parameters import MEDIUM_MM, SPILL_REACH_MM, because
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length, name_of

_STRIKE = because("Free Strikes", 44, "Who advances out of an enemy's reach or sight is struck just before it does.")
_FORCED = because("Unintentional Movement", 34, "Being pushed, slammed, thrown or placed draws no free strikes.")
_PARRY = because("Advantages", 17, "Nobody makes free strikes against Parry.")
_NOBODY = because("Free Strikes", 44, "No enemy that could strike had it engaged on its way.")
_UNABLE = because("Free Strikes", 44, "It cannot make a free strike now.")
_UNDER = because("Trample", 48, "Small bases that a trampling model runs over do not strike at it.")
_STEP_MM = 3.0
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


def free_strike(table: Situation, query: FreeStrike) -> Ruling:
    """Whether an enemy may strike as it goes; staying just within is no leaving. Source: Free Strikes, p. 44."""
    mover = table.miniature(query.mover)
    if query.cause in ("pushed", "slammed", "thrown", "placed"):
        return Ruling(margin_mm=-CAPPED_MM, because=(_FORCED,), touches=(query.mover,))
    if mover.has("parry"):
        return Ruling(margin_mm=-CAPPED_MM, because=(_PARRY,), touches=(query.mover,))
    path = _path(table, query)
    if path is None:
        return Ruling(status="unknown", needs=("path_mm",), because=(_STRIKE,), touches=(query.mover,))

    run_over = _run_over(table, query.mover, path) if query.cause == "trample" else frozenset[str]()

    def about(nudged: Situation, id_: str) -> Ruling:
        if id_ in run_over:
            return Ruling(margin_mm=-CAPPED_MM, because=(_STRIKE, _UNDER), touches=(id_,))
        return _against(nudged, query.mover, id_, path)

    near = _near(table, query.mover, path)
    rulings = tuple(about(table, id_) for id_ in near)
    members = considered(table, near, about)
    if not rulings:
        return Ruling(margin_mm=-CAPPED_MM, value={"by_id": {}}, because=(_STRIKE, _NOBODY), touches=(query.mover,))
    told = {id_: r.value["exit"] for id_, r in zip(near, rulings, strict=True) if "exit" in r.value}
    way = Witness(type="polyline", role="path", points_mm=path, of=(query.mover,))
    best = any_of(rulings)
    return replace(best, value={"by_id": told}, witness=(way, *best.witness), members=members)


def _path(table: Situation, query: FreeStrike) -> tuple[Point, ...] | None:
    """The way of its base centre: told, else tracked, else straight from where it stood before."""
    mover = table.miniature(query.mover)
    if query.path_mm is not None:
        told = query.path_mm
        return told if len(told) > 1 else (mover.at_mm, *told)
    if mover.this_turn.path_mm is not None and len(mover.this_turn.path_mm) > 1:
        return mover.this_turn.path_mm
    return None if mover.before is None else (mover.before.at_mm, mover.at_mm)


def _run_over(table: Situation, mover: str, path: tuple[Point, ...]) -> frozenset[str]:
    """The small bases its own base meets on the way. Source: Trample, p. 48."""
    small = (id_ for id_ in enemies(table, mover) if size_mm(table.miniature(id_)) < MEDIUM_MM)
    reach = table.base(mover).reach_mm
    return frozenset(
        id_
        for id_ in small
        if any(_off_leg(table.centre(id_), a, b) <= reach + table.base(id_).reach_mm for a, b in pairwise(path))
    )


def _near(table: Situation, mover: str, path: tuple[Point, ...]) -> tuple[str, ...]:
    """The enemies whose reach the path comes near."""
    found = []
    for id_ in enemies(table, mover):
        reach = max(weapon_reaches(table.miniature(id_)).values(), default=0.0)
        close = 2 * _CLOSE_MM if reach else SPILL_REACH_MM
        closest = min(_off_leg(table.centre(id_), a, b) for a, b in pairwise(path))
        if closest - table.base(mover).reach_mm - table.base(id_).reach_mm < reach + close:
            found.append(id_)
    return tuple(found)


def _off_leg(p: Point, a: Point, b: Point) -> float:
    length2 = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    along = ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / (length2 or 1.0)
    t = min(1.0, max(0.0, along))
    return math.dist(p, (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))


def _against(table: Situation, mover: str, enemy: str, path: tuple[Point, ...]) -> Ruling:
    """Whether this enemy may strike: it had the mover engaged, and later has not."""
    asked = ("free strike", mover, enemy, path)
    return table.recalled(asked, lambda nudged: _ruled(Watch(nudged, mover, enemy, path)))


def _ruled(watch: "Watch") -> Ruling:
    table, mover, enemy, path = watch.table, watch.mover, watch.enemy, watch.path
    if _may_not(table, mover, enemy):
        return Ruling(margin_mm=-CAPPED_MM, because=(_STRIKE, _UNABLE), touches=(enemy,))
    if not weapon_reaches(table.miniature(enemy)):
        return _unarmed(table, enemy)
    moments = [watch.moment(after) for after in _looked_at(watch)]
    touches, faces = (mover, enemy), (enemy,)
    first = next((k for k, m in enumerate(moments) if m.margin_mm >= 0), None)
    if first is None:
        most = max(m.margin_mm for m in moments)
        never = applied(table, _STRIKE, f"It never comes into the reach and sight of {name_of(table, enemy)}.")
        return Ruling(margin_mm=most, zero_is_met=False, because=(never,), touches=touches, faces=faces)
    past = -moments[_nearest_to_leaving([m.margin_mm for m in moments], first)].margin_mm
    held = _held_before_leaving(moments)
    if past <= 0:
        stays = f"It stays within reach and sight of {name_of(table, enemy)}, by at least {length(-past)}."
        why = (applied(table, _STRIKE, stays),)
        return Ruling(margin_mm=past, zero_is_met=False, because=why, touches=touches, faces=faces)
    left = next(k for k in range(first, len(moments)) if moments[k].margin_mm < 0)
    gone = watch.exit(moments[left - 1].after_mm, moments[left].after_mm)
    at = _at(path, gone.after_mm)
    lost = "reach" if moments[left].reach_mm < 0 else "sight"
    shut = _shielded(table, mover, enemy, at)
    if shut is not None:
        return shut
    return Ruling(
        margin_mm=past,
        slack_mm=min(past, held),
        zero_is_met=False,
        value={"exit": {"at_mm": list(at), "after_mm": gone.after_mm, "lost": lost, "times": _leavings(moments)}},
        witness=(Witness(type="point", role="limit", points_mm=(at,), of=(mover, enemy)),),
        because=(applied(table, _STRIKE, _left(table, enemy, lost, gone.after_mm, past)),),
        touches=touches,
        faces=faces,
    )


def _leavings(moments: list[Moment]) -> int:
    """How often it was within reach and sight, and then was not."""
    return sum(before.margin_mm >= 0 > after.margin_mm for before, after in pairwise(moments))


def _shielded(table: Situation, mover: str, enemy: str, at: Point) -> Ruling | None:
    """What keeps the blow from it at its last spot in reach, in a book where a blow takes a line of its own."""
    free = terms_of(table).free_line
    if free is None or table.reading("free-strike-shielded") == "strike":
        return None
    reach = max(weapon_reaches(table.miniature(enemy)).values(), default=0.0)
    line = free(table.placed(mover, at), enemy, mover, reach)
    return None if is_met(line) else replace(line, zero_is_met=False, because=(_STRIKE, *line.because))


def _left(table: Situation, enemy: str, lost: str, after_mm: float, past_mm: float) -> str:
    whose = name_of(table, enemy)
    return f"After {length(after_mm)} it leaves the {lost} of {whose}, and goes {length(past_mm)} beyond."


def _unarmed(table: Situation, enemy: str) -> Ruling:
    """Whoever has no melee weapon has no reach to leave; of a card nobody has told that cannot be said."""
    if table.miniature(enemy).profile == Profile():
        return Ruling(status="unknown", needs=(f"profile.melee of {enemy}",), because=(_STRIKE,), touches=(enemy,))
    return Ruling(margin_mm=-CAPPED_MM, because=(_STRIKE, _UNABLE), touches=(enemy,))


def _looked_at(watch: "Watch") -> tuple[float, ...]:
    """Where along the path it is looked at: all along, but on a nudged table only where the exact one decided."""
    if not watch.table.lean:
        return tuple(_stops(watch))
    still = replace(watch, table=watch.table.still)
    what = f"free strike of {watch.mover} along {watch.path}"
    return still.table.remembered(what, watch.enemy, lambda: _decisive(still))


def _decisive(watch: "Watch") -> tuple[float, ...]:
    """The moments of the best hold, of the way out of it, and the worst one after it."""
    stops = tuple(_stops(watch))
    margins = [watch.moment(after).margin_mm for after in stops]
    first = next((k for k, margin in enumerate(margins) if margin >= 0), None)
    if first is None:
        marks = {max(range(len(stops)), key=lambda k: margins[k])}
    else:
        worst = _nearest_to_leaving(margins, first)
        left = next((k for k in range(first, len(stops)) if margins[k] < 0), worst)
        marks = {first, max(range(worst + 1), key=lambda k: margins[k]), left, worst}
    return tuple(stops[k] for k in sorted(marks))


def _nearest_to_leaving(margins: list[float], first: int) -> int:
    """The moment at which it is farthest out after it was farther in; the last where it only comes nearer."""
    held, leaving = -math.inf, []
    for k in range(first, len(margins)):
        leaving += [k] if margins[k] < held else []
        held = max(held, margins[k])
    return min(leaving, key=lambda k: margins[k], default=len(margins) - 1)


def _held_before_leaving(moments: list[Moment]) -> float:
    """The best over all pairs of moments: engaged by this much first, out of it by this much later."""
    best, held = -math.inf, -math.inf
    for moment in moments:
        best = max(best, min(held, -moment.margin_mm))
        held = max(held, moment.margin_mm)
    return best


def _may_not(table: Situation, mover: str, enemy: str) -> bool:
    """Source: Free Strikes, p. 44; Incorporeal, p. 17; Out of Formation, p. 64; Wild Warbeasts, p. 103."""
    me = table.miniature(enemy)
    ghost = is_incorporeal(me) and not terms_of(table).ghosts_strike
    down = any(status in table.miniature(mover).status for status in HELPLESS)
    return ghost or down or why_unable(table, enemy) is not None or _is_lost(table, enemy)


def _is_lost(table: Situation, enemy: str) -> bool:
    formed = in_formation(table, enemy)
    return formed.status == "decided" and formed.decisive_mm < 0


def _stops(watch: "Watch") -> Iterator[float]:
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


def _at(path: tuple[Point, ...], after_mm: float) -> Point:
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

    table: Situation
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

    def moment(self, after_mm: float) -> Moment:
        there = self.table.placed(self.mover, _at(self.path, after_mm))
        reach = reach_ruling(there, self.enemy, self.mover, weapon_reaches(there.miniature(self.enemy)))
        if reach.status == "unknown":
            return Moment(after_mm, -CAPPED_MM, -CAPPED_MM)
        margin = reach.decisive_mm
        by_reach = terms_of(self.table).free_line is not None  # there, only reach is left
        if by_reach or margin < -_STEP_MM or self._surely_seen(after_mm, margin):  # out of reach anyhow, or in the open
            return Moment(after_mm, margin, CAPPED_MM)
        sight = sight_of(there, self.enemy, self.mover, purpose="melee")
        found = sight.decisive_mm if sight.status == "decided" else CAPPED_MM
        self.seen[after_mm] = found
        return Moment(after_mm, margin, found)

    def exit(self, inside_mm: float, outside_mm: float) -> Moment:
        """The last moment in reach and sight, between one within and one without."""
        for _ in range(0 if self.table.lean else _HALVINGS):
            half = (inside_mm + outside_mm) / 2
            if self.moment(half).margin_mm >= 0:
                inside_mm = half
            else:
                outside_mm = half
        return self.moment(inside_mm)

    def _surely_seen(self, after_mm: float, by_mm: float) -> bool:
        """Whether sight cannot be the lesser margin here.

        Among bases alone a lane narrows by no more than the mover goes, so what was seen nearby tells enough.
        """
        hides = self._hides
        if hides == "nothing":
            return True
        return hides == "bases" and any(s - abs(after_mm - at) > by_mm for at, s in self.seen.items())

    @property
    def _hides(self) -> str:
        """What stands near enough to the enemy to come between it and a mover in its reach."""
        still = self.table.still
        return still.remembered(
            f"in the way of {self.mover}", self.enemy, lambda: _hiding(still, self.mover, self.enemy)
        )


def _hiding(table: Situation, mover: str, enemy: str) -> str:
    reach = max(weapon_reaches(table.miniature(enemy)).values(), default=0.0)
    around = table.base(enemy).grown(reach + 2 * table.base(mover).reach_mm + _CLOSE_MM)
    if any(gap(around, part).mm <= 0 for id_ in table.ground_ids for part in table.area(id_).parts):
        return "ground"
    near = any(gap(around, table.base(id_)).mm <= 0 for id_ in in_play(table, mover, enemy))
    return "bases" if near else "nothing"
