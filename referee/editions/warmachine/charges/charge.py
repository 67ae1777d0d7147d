"""Charge: may it be declared, which ways, does it get there, and is the first blow a charge attack."""

import math
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Charge, Los
from models.unit_conversion import degrees, inches, radians
from models.verdict import CAPPED_MM, Witness
from referee.cached_attribute import cached_attribute
from referee.editions.warmachine.charges.stops import explain_stop
from referee.editions.warmachine.line_of_sight.los import line_of_sight
from referee.editions.warmachine.melee.attack_eligibility import may_attack
from referee.editions.warmachine.melee.melee_range import answer_unarmed, check_reach, weapon_reaches
from referee.editions.warmachine.miniatures.turn_ledger import check_turn
from referee.editions.warmachine.movement.path import passability_of_charge, relocate_things, speed_mm
from referee.editions.warmachine.parameters import CHARGE_ATTACK_MM, because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.circle_intersection import bearing
from referee.motion.charge_search import ChargeSearch, keep_reachable
from referee.motion.heading_intervals import HeadingInterval
from referee.motion.straight_charge import SAFE_MM, ChargeAim, StraightCharge, nudge_heading, straight_charge
from referee.motion.travel_budget import Stretch, TravelLimits, cost_mm
from referee.rules.candidates import answer_word, is_zero_or_more
from referee.rules.conditions import Clauses, Conditions, all_of, all_of_memoized
from referee.rules.exact_table import ExactTable
from referee.rules.memo import memoize
from referee.rules.rule_result import RuleResult, Value, ask_for, plain_condition
from referee.rules.sides import are_enemies
from referee.rules.switches import EXACT_MM, find_recorded, is_at_least, is_more_than

_BESIDE_MM = 60.0  # farther than measuring errors bring charger, target and what stands there together
EXTRA_MM = inches(3)  # Source: Charge, p. 31; Slam, p. 45; Trample, p. 48

_DECLARE = because("Charge", 31, "A charge is declared at an enemy in sight, by who has a melee range and may attack.")
_FRIEND = because("Charge", 31, "Nobody charges a friend.")
_UNARMED = because("Charge", 31, "Who has no melee range cannot charge.")
_HEADING = because("Charge", 31, "Any direction that brings the target into reach, whatever lies between.")
_WAY = because("Charge", 31, "Straight on for SPD + 3 in, to the first model, obstacle or obstruction it touches.")
_STOP = because("Charge", 31, "It stops where it likes once the target is in reach, and keeps it in reach.")
_ROUGH = because("Charge Examples", 32, "Rough ground halves the rate of a charge and does not stop it.")
_SHORT = because("Charge", 31, "Without the target in reach at its end the charge has failed.")
_SEE = because("Charge", 31, "It has to engage its target at the end: in reach and in sight.")
_ATTACK = because("Charge", 31, "After 3 in or more the first blow at the target is a charge attack.")


def charge(table: ExactTable, query: Charge) -> RuleResult:
    """Charge: what `step` asks of a charge. Source: Charge, p. 31-32."""
    if query.steps is not None:
        return RuleResult(status="refused", because=(_WAY,), advice="Steps are for ranked units; tell a heading.")
    if query.step == "declare":
        declared = declare(table, query.attacker, query.target, query.reach_in)
        return replace(declared, value={**declared.value, "declare": answer_word(declared)})
    reach, budget = _reach_mm(table, query), _budget_mm(table, query)
    if reach is None and (unarmed := answer_unarmed(table, query.attacker, _UNARMED)).status == "decided":
        return replace(unarmed, value={"declare": "no"})
    if reach is None or budget is None:
        need = f"profile.melee of {query.attacker}" if reach is None else f"profile.spd_in of {query.attacker}"
        return ask_for(need, because=(_WAY,), on=_ids_of(query))
    return _ChargeRun(table, query, _aim(table, query, reach), budget).answer()


def declare(table: ExactTable, attacker: str, target: str, reach_in: float | None = None) -> RuleResult:
    """Whether a charge may be declared; distance and ground do not matter. Source: Charge, p. 31; p. 32."""
    clauses = [
        ("able", may_attack(table, attacker)),
        *terms_of(table).charge_clauses(table, attacker, target, reach_in),
    ]
    clauses.append(("sight", line_of_sight(table, Los(viewer=attacker, target=target, purpose="charge"))))
    result = all_of(tuple(clauses))
    return replace(result, because=(_DECLARE, *(r for r in result.because if r != _DECLARE)))


def charge_clauses(table: ExactTable, attacker: str, target: str, reach_in: float | None) -> Clauses:
    """What a charge takes besides sight and the ability to attack. Source: Charge, p. 31; Crippled Movement, p. 58."""
    friends = not are_enemies(table.state, table.miniature(attacker), table.miniature(target))
    return (("card", check_card(table, attacker, reach_in)), ("enemy", plain_condition(target, not friends, _FRIEND)))


def check_card(table: ExactTable, attacker: str, reach_in: float | None) -> RuleResult:
    """Whether its turn and its card let it charge. Source: Charge, p. 31; Crippled Movement, p. 58."""
    left = check_turn(table, attacker, "charge")
    if left.because:
        return left
    if reach_in is None and not weapon_reaches(table.miniature(attacker)):
        return answer_unarmed(table, attacker, _UNARMED)
    return plain_condition(attacker, True, _DECLARE)


def covered_mm(table: ExactTable, travelled: float, ground: tuple[Stretch, ...]) -> float:
    """What counts toward 3 in: the way, or the movement it cost where players read it so. Source: Charge, p. 31."""
    return cost_mm(travelled, ground) if table.reading("three-inches") == "spent" else travelled


def _degrees_of(fan: HeadingInterval) -> list[JsonValue]:
    """From where to where a fan runs: the first from -180 to 180, the last behind it as far as it is wide."""
    first = math.degrees(math.remainder(fan.first_rad, math.tau))
    return [first, first + math.degrees(fan.width_rad)]


def _ids_of(query: Charge) -> tuple[str, str]:
    return (query.attacker, query.target)


def _reach_mm(table: ExactTable, query: Charge) -> float | None:
    if query.reach_in is not None:
        return inches(query.reach_in)
    return max(weapon_reaches(table.miniature(query.attacker)).values(), default=None)


def _budget_mm(table: ExactTable, query: Charge) -> float | None:
    """Source: Charge, p. 31: the current speed and 3 in."""
    speed = speed_mm(table, query.attacker) if query.speed_in is None else inches(query.speed_in)
    return None if speed is None else speed + EXTRA_MM


def _aim(table: ExactTable, query: Charge, reach: float) -> ChargeAim:
    everywhere = table.miniature(query.attacker).front_arc_deg == 360 or table.reading("melee-shape") == "ring"
    return ChargeAim(table.base(query.attacker), table.base(query.target), reach, everywhere, query.target)


@dataclass(frozen=True)
class _ChargeRun:
    """One charge on its way to a result."""

    table: ExactTable
    query: Charge
    aim: ChargeAim
    budget_mm: float

    def answer(self) -> RuleResult:
        steps = {"heading": self._check_heading, "outcome": self._check_outcome, "attack": self._check_attack}
        result = steps[self.query.step]()
        return replace(
            result,
            necessary=None if self.query.step == "heading" else self._on_open_ground(),
            value=self._limits() if self.table.margins_only else self._value(),
            lengths_mm={"travelled": self.travelled_mm},
            witness=() if self.table.perturbations else (self._draw_path(), *result.witness),
            depends_on_place=tuple(dict.fromkeys((*_ids_of(self.query), *result.depends_on_place))),
        )

    def _on_open_ground(self) -> RuleResult:
        """Whether its movement would do if nothing stood or lay on its way: without that no charge arrives."""
        budget_mm, switches = find_recorded(lambda: _budget_mm(self.table, self.query))
        slack_mm = (budget_mm or 0.0) - max(0.0, self.aim.apart_mm - self.aim.wide_mm)
        return RuleResult(margin_mm=slack_mm, depends_on_place=_ids_of(self.query), switches=switches)

    @cached_attribute
    def chosen_rush(self) -> StraightCharge:
        """The rush along the heading told, else along the best one that there is on the table at rest."""
        heading_deg = self.query.heading_deg
        return self._rush_along(self._search.best if heading_deg is None else radians(heading_deg))

    @cached_attribute
    def _rivals(self) -> tuple[StraightCharge, ...]:
        """Rushes along other headings that may do as well; none when the heading is told."""
        headings = self._search.rivals if self.query.heading_deg is None else ()
        return tuple(nudge_heading(self._rush_along(heading)) for heading in headings)

    def _rush_along(self, heading_rad: float) -> StraightCharge:
        """The rush along a heading, worked out once."""
        if heading_rad not in self._rushes:
            self._rushes[heading_rad] = straight_charge(self.aim, heading_rad, self._things_on_path, self.budget_mm)
        return self._rushes[heading_rad]

    @cached_attribute
    def _rushes(self) -> dict[float, StraightCharge]:
        """Scratch space."""
        return {}

    @cached_attribute
    def _slack_mm(self) -> float:
        return max(rush.slack_mm for rush in (self.chosen_rush, *self._rivals))

    @cached_attribute
    def travelled_mm(self) -> float:
        return self._reach_and_stop[1]

    @cached_attribute
    def covered_mm(self) -> float:
        """What counts toward 3 in."""
        return covered_mm(self.table, self.travelled_mm, self.chosen_rush.travelled.ground)

    @cached_attribute
    def _things_on_path(self) -> TravelLimits:
        """What matters on the way; along the best headings only what stands near the straight one."""
        if self.query.heading_deg is not None:
            return passability_of_charge(self.table, self.query.attacker)
        return keep_reachable(self.aim, self._things_around())

    def _things_around(self) -> TravelLimits:
        """All that matters to somebody who charges; on a perturbed table what at rest is near enough to come near."""
        if not self.table.perturbations or self.table.places_mm:
            return passability_of_charge(self.table, self.query.attacker)

        def find(still: ExactTable) -> TravelLimits:
            aim = _aim(still, self.query, self.aim.reach_mm)
            return keep_reachable(aim, passability_of_charge(still, self.query.attacker), beside_mm=_BESIDE_MM)

        what = ("near a charge", *_ids_of(self.query), self.aim.reach_mm)
        return relocate_things(self.table, self.table.without_facings().memoize_unperturbed(what, find))

    @cached_attribute
    def _search(self) -> ChargeSearch:
        """The search on the table at rest, done once."""
        still = self.table.unperturbed

        def begin() -> ChargeSearch:
            aim = _aim(still, self.query, self.aim.reach_mm)
            return ChargeSearch(aim, passability_of_charge(still, self.query.attacker), self.budget_mm)

        if still.places_mm:
            return begin()
        read = tuple(still.reading(key) for key in ("graze", "melee-shape"))
        return memoize(still.state, ("charge", *_ids_of(self.query), self.aim.reach_mm, self.budget_mm, read), begin)

    def _check_heading(self) -> RuleResult:
        """Whether the direction ever brings the target into reach. Source: Charge, p. 31."""
        return RuleResult(
            margin_mm=self.chosen_rush.legal_slack_mm, because=(_HEADING,), depends_on_place=_ids_of(self.query)
        )

    def _check_outcome(self) -> RuleResult:
        """Whether it may be declared and ends with the target in reach and in sight. Source: Charge, p. 31."""
        conditions: Conditions = (
            ("declare", lambda table: self._on_table(table).check_declaration()),
            ("reach", lambda table: self._on_table(table)._reach_and_stop[0]),
            ("level", lambda table: self._on_table(table)._check_level()),
            ("sight", lambda table: self._on_table(table)._check_sight()),
        )
        what = ("charge", self.query)
        joined = all_of_memoized(self.table, what, conditions)

        def first(still: ExactTable) -> str:
            parts = ((name, still.evaluate_memoized((what, name), rule)) for name, rule in conditions)
            return next((name for name, condition in parts if not is_zero_or_more(condition)), "reach")

        name = (
            first(self.table.unperturbed)
            if self.table.places_mm
            else self.table.memoize_unperturbed((what, "told"), first)
        )
        if self.table.perturbations:  # the margin of what is told of the table at rest
            return replace(joined, margin_mm=dict(conditions)[name](self.table).margin_mm, slack_mm=joined.decisive_mm)
        decisive = dict(conditions)[name](self.table)
        return replace(
            joined,
            margin_mm=decisive.margin_mm,
            slack_mm=joined.decisive_mm,
            value={},
            because=decisive.because,
            witness=decisive.witness,
            readings=(*joined.readings, *(("charge-no-sight",) if name == "sight" else ())),
        )

    def _on_table(self, table: ExactTable) -> "_ChargeRun":
        """The same charge on another table."""
        if table is self.table:
            return self
        return replace(self, table=table, aim=_aim(table, self.query, self.aim.reach_mm))

    def check_declaration(self) -> RuleResult:
        """Whether it may be declared; what cannot be told of that is left open."""
        result = declare(self.table, self.query.attacker, self.query.target, self.query.reach_in)
        return result if result.status == "decided" else plain_condition(self.query.attacker, True, _DECLARE)

    @cached_attribute
    def _reach_and_stop(self) -> tuple[RuleResult, float]:
        """Whether the target comes into reach, and how far it goes; found once for all ways that anybody may look."""
        what = ("charged", self.query, self.aim.reach_mm, self.budget_mm, *self.table.perturbations.items())
        return self.table.without_facings().memoize_recent(what, lambda: (self._check_reach(), self._stop_mm()))

    def _stop_mm(self) -> float:
        return self.chosen_rush.stop(self._wanted_mm)

    @property
    def _wanted_mm(self) -> float | None:
        return None if self.query.stop_after_in is None else inches(self.query.stop_after_in)

    def _check_reach(self) -> RuleResult:
        """Whether the target comes into reach; of several headings that do as well one is enough."""
        rush, is_told = self.chosen_rush, self.query.heading_deg is not None
        if is_told:  # of several headings there is always one more
            trace_rooms(self.table, rush, self.query.attacker, self.query.target)
        reasons = (_HEADING, _WAY, *((_ROUGH,) if self.chosen_rush.travelled.ground else ()))
        met = (id_ for candidate in (self.chosen_rush, *self._rivals) for id_ in candidate.depends_on_place)
        return RuleResult(
            margin_mm=self.chosen_rush.left_mm,
            slack_mm=slack_past_rooms_mm(rush) if is_told else self._slack_mm,
            zero_is_met=self.chosen_rush.succeeds,
            because=(*reasons, explain_stop(self.table, _STOP, rush, self._wanted_mm) if rush.succeeds else _SHORT),
            readings=("graze",),
            depends_on_place=tuple(dict.fromkeys((*_ids_of(self.query), *met))),
        )

    def _check_level(self) -> RuleResult:
        """Whether it reaches its target across the levels where it ends. Source: Melee Range & Elevation, p. 78."""
        level = check_reach(self._table_at_end, self.query.attacker, self.query.target, {"reach": self.aim.reach_mm})
        return level if level.value.get("height_mm") and self._is_near else _assume_met(self.query)

    def _check_sight(self) -> RuleResult:
        """Whether it sees its target where it ends: without, it does not engage it. Source: Charge, p. 31; p. 43."""
        if not self._is_near or self.table.reading("charge-no-sight") != "failed":
            return _assume_met(self.query)
        asked = Los(viewer=self.query.attacker, target=self.query.target, purpose="melee")
        sight = line_of_sight(self._table_at_end, asked)
        if sight.status != "decided":
            return _assume_met(self.query)
        faces = tuple(id_ for id_ in sight.depends_on_facing if id_ != self.query.attacker)
        # its end moves with its target
        return replace(sight, because=(_SEE,), depends_on_facing=faces, form=None, conditions=())

    @property
    def _is_near(self) -> bool:
        """Whether what it finds at its end may matter."""
        return self._reach_and_stop[0].decisive_mm > -SAFE_MM

    def _check_attack(self) -> RuleResult:
        """Whether the first blow is a charge attack. Source: Charge, p. 31: 3 in, and the charge gets there."""
        outcome = self._check_outcome()
        slow = ("three-inches",) if self.chosen_rush.travelled.ground else ()
        far = RuleResult(
            margin_mm=self.covered_mm - CHARGE_ATTACK_MM,
            because=(_ATTACK,),
            readings=slow,
            doubtful=slow,
            depends_on_place=_ids_of(self.query),
        )
        joined = all_of((("outcome", outcome), ("far", far)))
        told_far = is_zero_or_more(outcome)
        return replace(joined, margin_mm=far.margin_mm, slack_mm=joined.decisive_mm) if told_far else joined

    @cached_attribute
    def _table_at_end(self) -> ExactTable:
        """The table with the charger at its end, turned to face its target. Source: Charge, p. 31."""
        end, attacker = self.chosen_rush.place(self.travelled_mm), self.query.attacker
        facing = bearing(end, self.table.centre(self.query.target))
        return self.table.with_end(attacker, end).with_facing(attacker, facing)

    def _limits(self) -> Value:
        """From where to where it may stop, and where it does."""
        rush, travelled = self.chosen_rush, self.travelled_mm
        end = rush.place(travelled)
        facing = degrees(bearing(end, self.table.centre(self.query.target))) % 360.0
        return {
            "stop_mm": [rush.first_stop_mm, rush.last_mm] if rush.succeeds else None,
            "way_mm": rush.travelled.travelled_mm,
            "travelled_mm": travelled,
            "stopped_by": rush.stopped_by if travelled >= rush.last_mm - 1e-9 else None,
            "poses": {self.query.attacker: {"at_mm": [*end], "facing_deg": facing}},
            "attack": "yes" if self._is_charge_attack() else "no",
        }

    def _is_charge_attack(self) -> bool:
        """Whether it gets there and comes far enough. Source: Charge, p. 31."""
        if not self.chosen_rush.succeeds or self.query.step == "attack":  # there the margin is that of the way
            return self.chosen_rush.succeeds and self.covered_mm >= CHARGE_ATTACK_MM - EXACT_MM
        return is_at_least(self.covered_mm, CHARGE_ATTACK_MM, "comes 3 in on its way to", _ids_of(self.query))

    def _value(self) -> Value:
        rush, fan = self.chosen_rush, self.aim.fan()
        declared = declare(self.table, self.query.attacker, self.query.target, self.query.reach_in)
        value: Value = {
            "declare": answer_word(declared),
            "heading": {
                "heading_deg": degrees(rush.heading_rad) % 360.0,
                "legal": "yes" if rush.legal_slack_mm >= -1e-9 else "no",
                "fan_deg": _degrees_of(fan),
            },
            **self._limits(),
        }
        if self.query.heading_deg is None:
            value["open_deg"] = [[degrees(f.first_rad), degrees(f.last_rad)] for f in self._search.fans]
        return value

    def _draw_path(self) -> Witness:
        points = (self.chosen_rush.travelled.path[0], self.chosen_rush.place(self.travelled_mm))
        return Witness(type="segment", role="path", points_mm=points, of=(self.query.attacker,))


def trace_rooms(table: ExactTable, rush: StraightCharge, mover: str, target: str) -> None:
    """Record what could stop a rush before its target is in reach: by how much each thing stays out of its way."""
    compare = is_more_than if rush.limits.grazing_ids else is_at_least
    for mm, (id_, _) in rush.rooms:
        compare(mm, 0.0, "leaves room for the way of", (id_, mover, target, *table.movers_of(id_)[1:]))


def slack_past_rooms_mm(rush: StraightCharge) -> float:
    """By how much a rush succeeds that nothing stops; what may stop it is recorded for itself."""
    return rush.short_mm if rush.succeeds else min(rush.short_mm, rush.left_mm)


def _assume_met(query: Charge) -> RuleResult:
    return RuleResult(margin_mm=CAPPED_MM, depends_on_place=_ids_of(query))
