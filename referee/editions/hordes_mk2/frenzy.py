"""Frenzy: whom a frenzied warbeast goes for, and how."""

import math
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import Charge, Frenzy, Los
from models.verdict import CAPPED_MM, Reason
from referee.candidates import considered, in_play, is_met
from referee.editions.hordes_mk2.parameters import because
from referee.editions.warmachine_prime.in_melee import enemies, engaging
from referee.editions.warmachine_prime.melee import HELPLESS, reach_ruling, weapon_reaches
from referee.gaps import gap
from referee.ruling import FacingNeeded, Ruling
from referee.sides import are_enemies
from referee.situation import Situation
from referee.telling import applied, length, name_of

_REACH = because("Threshold & Frenzy", "It attacks one in its melee range, enemies before friends.")
_ENGAGED = because("Threshold & Frenzy", "With nobody in reach it goes for the closest of those who engage it.")
_SEEN = because("Threshold & Frenzy", "Else it charges the nearest in sight, friend or foe, or advances if it cannot.")
_NEAREST = because("Threshold & Frenzy", "With nobody in sight it advances toward the nearest.")
_DOWN = because("Threshold & Frenzy", "Knocked down it gives up its movement to stand, and attacks if it can.")
_NOBODY = because("Threshold & Frenzy", "There is nobody to go for.")


def frenzy(table: Situation, query: Frenzy) -> Ruling:
    """Whom a frenzied warbeast goes for: in reach, engaging it, seen, or merely nearest. Source: Threshold & Frenzy."""
    who = query.who
    apart = {id_: max(0.0, gap(table.base(who), table.base(id_)).mm) for id_ in in_play(table, who)}
    ids = tuple(sorted(apart, key=lambda id_: apart[id_]))
    goal = _Going(table, query, apart).goal()

    def about(nudged: Situation, id_: str) -> Ruling:
        return _in_reach(nudged, who, id_)

    target = goal.targets[0] if goal.targets else None
    value: dict[str, JsonValue] = {
        "target": target,
        "mode": goal.mode,
        "ties": [*goal.targets] if len(goal.targets) > 1 else [],
        "distance_mm": dict(apart),
    }
    if target is not None and goal.mode == "charge" and not table.lean:
        value |= _rush_at(table, who, target)
    told = "" if target is None else f"It goes for {name_of(table, target)}, {length(apart[target])} away."
    return Ruling(
        status="measured",
        value=value,
        because=(applied(table, goal.because, told) if told else goal.because,),
        readings=("frenzy-sight", "frenzy-closest"),
        touches=(who, *goal.targets),
        members=considered(table, ids, about),
        advice="They are equally good: draw one at random." if len(goal.targets) > 1 else None,
    )


@dataclass(frozen=True)
class _Goal:
    targets: tuple[str, ...]
    mode: str
    because: Reason


@dataclass(frozen=True)
class _Going:
    """One frenzied warbeast, and how far everybody is."""

    table: Situation
    query: Frenzy
    apart_mm: dict[str, float]

    def goal(self) -> _Goal:
        who = self.query.who
        reached = [id_ for id_ in self.apart_mm if is_met(_in_reach(self.table, who, id_))]
        if reached:
            me = self.table.miniature(who)
            foes = [i for i in reached if are_enemies(self.table.state, me, self.table.miniature(i))]
            return _Goal(tuple(foes or reached), "attack", _REACH)
        down = "knocked-down" in self.table.miniature(who).status
        if not down and (holding := self._engaging()):
            among = holding if self.table.reading("frenzy-closest") == "engaging" else list(self.apart_mm)
            return _Goal(self._nearest(among), "advance", _ENGAGED)
        seen = [] if down else [id_ for id_ in self.apart_mm if self._sees(id_)]
        if seen:
            nearest = self._nearest(seen)
            return _Goal(nearest, "charge" if self._may_charge(nearest[0]) else "advance", _SEEN)
        if not self.apart_mm:
            return _Goal((), "none", _NOBODY)
        return _Goal(self._nearest(list(self.apart_mm)), "advance", _DOWN if down else _NEAREST)

    def _engaging(self) -> list[str]:
        who = self.query.who
        return [id_ for id_ in enemies(self.table, who) if _holds(self.table, id_, who)]

    def _sees(self, id_: str) -> bool:
        return is_met(self.table.ruled(Los(viewer=self.query.who, target=id_, purpose="charge")))

    def _may_charge(self, target: str) -> bool:
        if not self.query.may_charge:
            return False
        asked = Charge(attacker=self.query.who, target=target, step="declare")
        found = self.table.ruled(asked)
        return found.status != "decided" or is_met(found)

    def _nearest(self, ids: list[str]) -> tuple[str, ...]:
        """The nearest; several when a measuring error could swap them. Source: Threshold & Frenzy: at random."""
        least = min(self.apart_mm[id_] for id_ in ids)
        doubt = 0.0 if self.table.reading("nearest-tie") == "exact" else self._sigma_mm(ids)
        found = [id_ for id_ in ids if self.apart_mm[id_] <= least + doubt + 1e-6]
        return tuple(sorted(found, key=lambda id_: self.apart_mm[id_]))

    def _sigma_mm(self, ids: list[str]) -> float:
        return max((math.sqrt(self.table.miniature(id_).covariance()[0][0]) for id_ in ids), default=0.0)


def _holds(table: Situation, foe: str, who: str) -> bool:
    try:
        return is_met(engaging(table, foe, who))
    except FacingNeeded:
        return False


def _in_reach(table: Situation, who: str, id_: str) -> Ruling:
    """Whether it is in the warbeast's melee range and sight: what it could attack. Source: Threshold & Frenzy."""
    if "stationary" in table.miniature(who).status:
        return Ruling(margin_mm=-CAPPED_MM, because=(HELPLESS["stationary"],), touches=(who,))
    reach = reach_ruling(table, who, id_, weapon_reaches(table.miniature(who)))
    if not is_met(reach) or table.reading("frenzy-sight") == "no":
        return reach
    sight = table.ruled(Los(viewer=who, target=id_, purpose="melee"))
    return reach if is_met(sight) else sight


def _rush_at(table: Situation, who: str, target: str) -> dict[str, JsonValue]:
    """Where its charge straight at the target ends. Source: Charge."""
    (ax, ay), (bx, by) = table.centre(who), table.centre(target)
    heading = math.degrees(math.atan2(by - ay, bx - ax))
    try:
        found = table.ruled(Charge(attacker=who, target=target, heading_deg=heading, step="outcome"))
    except FacingNeeded:
        return {}
    return {key: found.value[key] for key in ("travelled_mm", "poses", "stopped_by") if key in found.value}
