"""Attacks: whom a frenzied warbeast goes for, whom a miss may hit, and who takes the place of the fallen."""

import math
from dataclasses import dataclass

from models.queries import Charge, Frenzy, InMeleeGroup, Los, Promotion, Range
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason
from referee.editions.warmachine.charges.charge_attacks import describe_straight_charge
from referee.editions.warmachine.melee import in_melee
from referee.editions.warmachine.melee.in_melee import check_engages, enemies
from referee.editions.warmachine.melee.melee_range import check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.turn_ledger import HELPLESS
from referee.editions.warmachine.mk1_and_mk2.attacks import is_tied
from referee.editions.warmachine.mk1_and_mk2.parameters import because
from referee.geometry.distance import gap
from referee.margins.distance_margin import limit_form
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import FacingMissing, RuleResult, Value, ask_for
from referee.rules.sides import are_enemies
from referee.rules.switches import first_of

_PROMOTION_MM = inches(1)  # Source: Standard Bearer; Weapon Crew
_REACH = because("Threshold & Frenzy", "It attacks one in its melee range, enemies before friends.")
_ENGAGED = because("Threshold & Frenzy", "With nobody in reach it goes for the closest of those who engage it.")
_SEEN = because("Threshold & Frenzy", "Else it charges the nearest in sight, friend or foe, or advances if it cannot.")
_NEAREST = because("Threshold & Frenzy", "With nobody in sight it advances toward the nearest.")
_DOWN = because("Threshold & Frenzy", "Knocked down it gives up its movement to stand, and attacks if it can.")
_NOBODY = because("Threshold & Frenzy", "There is nobody to go for.")
_FAR = because("Targeting a Model in Melee", "A shot out of range misses altogether; nobody else is hit.")
_TAKES = because("Standard Bearer", "A Grunt within 1 in of it may take its place when it leaves play.")
_CREW = because("Weapon Crews", "A Grunt within 1 in of the gun's Leader takes its place when it leaves play.")
_NOT_ONE = because("Standard Bearer", "Only the standard bearer, and the Leader of a weapon crew, are followed so.")


def frenzy(table: ExactTable, query: Frenzy) -> RuleResult:
    """Frenzy: whom a frenzied warbeast goes for: in reach, engaging it, seen, or merely nearest.

    Source: Threshold & Frenzy.
    """
    warbeast = query.who
    apart = {id_: max(0.0, gap(table.base(warbeast), table.base(id_)).mm) for id_ in in_play(table, warbeast)}
    ids = tuple(sorted(apart, key=lambda id_: apart[id_]))
    goal = _FrenzyChoice(table, query, apart).goal()

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_reach(perturbed, warbeast, id_)

    target = goal.targets[0] if goal.targets else None
    value: Value = {
        "target": target,
        "mode": goal.mode,
        "ties": [*goal.targets] if len(goal.targets) > 1 else [],
        "distance_mm": dict(apart),
    }
    if target is not None and goal.mode == "charge" and not table.margins_only:
        value |= describe_straight_charge(table, warbeast, target)
    effect = "" if target is None else f"It goes for {name_of(table, target)}, {format_length(apart[target])} away."
    return RuleResult(
        status="measured",
        value=value,
        because=(with_effect(table, goal.because, effect) if effect else goal.because,),
        readings=("frenzy-sight", "frenzy-closest"),
        depends_on_place=(warbeast, *goal.targets),
        members=evaluate_each(table, ids, about),
        advice="They are equally good: draw one at random." if len(goal.targets) > 1 else None,
    )


@dataclass(frozen=True)
class _FrenzyGoal:
    targets: tuple[str, ...]
    mode: str
    because: Reason


@dataclass(frozen=True)
class _FrenzyChoice:
    """One frenzied warbeast, and how far everybody is."""

    table: ExactTable
    query: Frenzy
    apart_mm: dict[str, float]

    def goal(self) -> _FrenzyGoal:
        warbeast = self.query.who
        reached = [id_ for id_ in self.apart_mm if is_met(_check_reach(self.table, warbeast, id_), "can strike")]
        if reached:
            me = self.table.miniature(warbeast)
            foes = [i for i in reached if are_enemies(self.table.state, me, self.table.miniature(i))]
            return _FrenzyGoal(tuple(foes or reached), "attack", _REACH)
        down = "knocked-down" in self.table.miniature(warbeast).status
        if not down and (holding := self._list_engagers()):
            among = holding if self.table.reading("frenzy-closest") == "engaging" else list(self.apart_mm)
            return _FrenzyGoal(self._list_nearest(among), "advance", _ENGAGED)
        seen = [] if down else [id_ for id_ in self.apart_mm if self._is_in_sight(id_)]
        if seen:
            nearest = self._list_nearest(seen)
            return _FrenzyGoal(nearest, "charge" if self._may_charge(nearest[0]) else "advance", _SEEN)
        if not self.apart_mm:
            return _FrenzyGoal((), "none", _NOBODY)
        return _FrenzyGoal(self._list_nearest(list(self.apart_mm)), "advance", _DOWN if down else _NEAREST)

    def _list_engagers(self) -> list[str]:
        warbeast = self.query.who
        return [id_ for id_ in enemies(self.table, warbeast) if _is_engaged_by(self.table, id_, warbeast)]

    def _is_in_sight(self, id_: str) -> bool:
        return is_met(self.table.evaluate_query(Los(viewer=self.query.who, target=id_, purpose="charge")), "sees")

    def _may_charge(self, target: str) -> bool:
        if not self.query.may_charge:
            return False
        asked = Charge(attacker=self.query.who, target=target, step="declare")
        declared = self.table.evaluate_query(asked)
        return declared.status != "decided" or is_met(declared, "may charge")

    def _list_nearest(self, ids: list[str]) -> tuple[str, ...]:
        """The nearest; several when a measuring error could swap them. Source: Threshold & Frenzy: at random."""
        first = first_of({id_: self.apart_mm[id_] for id_ in ids}, also=(self.query.who,))
        assert first is not None
        doubt = 0.0 if self.table.reading("nearest-tie") == "exact" else self._sigma_mm(ids)
        apart, on = self.apart_mm, (self.query.who,)
        tied = [id_ for id_ in ids if is_tied(id_, first, apart[id_] - apart[first], doubt, on)]
        return tuple(sorted(tied, key=lambda id_: apart[id_]))

    def _sigma_mm(self, ids: list[str]) -> float:
        return max((math.sqrt(self.table.miniature(id_).covariance()[0][0]) for id_ in ids), default=0.0)


def _is_engaged_by(table: ExactTable, foe: str, warbeast: str) -> bool:
    try:
        return is_met(check_engages(table, foe, warbeast), "engages")
    except FacingMissing:
        return False


def _check_reach(table: ExactTable, warbeast: str, id_: str) -> RuleResult:
    """Whether it is in the warbeast's melee range and sight: what it could attack. Source: Threshold & Frenzy."""
    if "stationary" in table.miniature(warbeast).status:
        return RuleResult(margin_mm=-CAPPED_MM, because=(HELPLESS["stationary"],), depends_on_place=(warbeast,))
    reach = check_reach(table, warbeast, id_, weapon_reaches(table.miniature(warbeast)))
    if not is_met(reach, "reaches") or table.reading("frenzy-sight") == "no":
        return reach
    sight = table.evaluate_query(Los(viewer=warbeast, target=id_, purpose="melee"))
    return reach if is_met(sight, "sees") else sight


def in_melee_group(table: ExactTable, query: InMeleeGroup) -> RuleResult:
    """Melee group: everybody who may be drawn after a miss in range; nobody after one out of the declared range.

    Source: Targeting a Model in Melee.
    """
    turn = table.state.turn
    declared = None if turn is None or turn.declared is None else turn.declared
    if declared is not None and declared.range_in is not None and declared.target == query.target:
        asked = Range(attacker=query.attacker, target=query.target, range_in=declared.range_in, origin=query.origin)
        if not is_met(table.evaluate_query(asked), "is in range of"):
            nobody: Value = {"links": [], "bands": {}, "by_id": {}}
            return RuleResult(
                status="measured", value=nobody, because=(_FAR,), depends_on_place=(query.attacker, query.target)
            )
    return in_melee.in_melee_group(table, query)


def promotion(table: ExactTable, query: Promotion) -> RuleResult:
    """Promotion: who of the unit stands near enough to take its place; an inch is.

    Source: Standard Bearer; Weapon Crews.
    """
    me = table.miniature(query.who)
    crew = "gunner" in me.role or (me.base.counts_as_mm is not None and me not in table.sized_by_book)
    if me.unit is None:
        return ask_for(f"unit of {query.who}", because=(_TAKES,))
    if not (crew or "standard" in me.role or me.has("standard-bearer")):
        return RuleResult(status="refused", because=(_NOT_ONE,), advice=f"{query.who} is neither of them.")
    barred = {"commander", "officer", "standard", "standard-bearer"}
    crew_of = [m for m in table.state.miniatures if m.unit == me.unit and m.id != me.id and "removed" not in m.status]
    mates = tuple(m.id for m in crew_of if barred.isdisjoint({*m.role, *m.profile.abilities}))

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        apart = max(0.0, gap(perturbed.base(query.who), perturbed.base(id_)).mm)
        form = limit_form(perturbed, query.who, id_, _PROMOTION_MM)
        return RuleResult(margin_mm=_PROMOTION_MM - apart, depends_on_place=(query.who, id_), form=form)

    return RuleResult(
        status="measured",
        value={"by_id": {id_: {"distance_mm": gap(table.base(me.id), table.base(id_)).mm} for id_ in mates}},
        because=(_CREW if crew else _TAKES,),
        depends_on_place=(query.who,),
        members=evaluate_each(table, mates, about),
    )
