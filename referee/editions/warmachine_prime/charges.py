"""Charges: may one be declared, which ways, does it get there, and is the first blow a charge attack."""

import math
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Charge, Los
from models.units import degrees, inches, radians
from models.verdict import CAPPED_MM, Reason, Witness
from referee.candidates import is_met, word
from referee.clauses import Clauses, Conditions, all_of, all_settled
from referee.editions.warmachine_prime.able import able, forfeited
from referee.editions.warmachine_prime.going import charging, lying
from referee.editions.warmachine_prime.melee import reach_ruling, weapon_reaches
from referee.editions.warmachine_prime.parameters import CHARGE_ATTACK_MM, because
from referee.editions.warmachine_prime.paths import speed_mm
from referee.editions.warmachine_prime.sight import line_of_sight
from referee.editions.warmachine_prime.terms import terms_of
from referee.fans import Fan
from referee.once import once
from referee.ruling import Ruling
from referee.rush import SAFE_MM, Aim, Rush, eased, rush
from referee.rush_search import Search, near_enough
from referee.sides import are_enemies
from referee.situation import Situation, remember
from referee.travel import Going, Stretch, cost_mm

_BESIDE_MM = 60.0  # farther than measuring errors bring charger, target and what stands there together
EXTRA_MM = inches(3)  # Source: Charge, p. 31; Slam, p. 45; Trample, p. 48

_DECLARE = because("Charge", 31, "A charge is declared at an enemy in sight, by who has a melee range and may attack.")
_FRIEND = because("Charge", 31, "Nobody charges a friend.")
_FORFEIT = because("Charge", 31, "Who forfeits its Combat Action cannot charge.")
_UNARMED = because("Charge", 31, "Who has no melee range cannot charge.")
_CRIPPLED = because("Crippled Systems", 58, "With a crippled movement system nobody charges.")
_HEADING = because("Charge", 31, "Any direction that brings the target into reach, whatever lies between.")
_WAY = because("Charge", 31, "Straight on for SPD + 3 in, to the first model, obstacle or obstruction it touches.")
_STOP = because("Charge", 31, "It stops where it likes once the target is in reach, and keeps it in reach.")
_ROUGH = because("Charge Examples", 32, "Rough ground halves the rate of a charge and does not stop it.")
_SHORT = because("Charge", 31, "Without the target in reach at its end the charge has failed.")
_SEE = because("Charge", 31, "It has to engage its target at the end: in reach and in sight.")
_ATTACK = because("Charge", 31, "After 3 in or more the first blow at the target is a charge attack.")


def charge(table: Situation, query: Charge) -> Ruling:
    """What `step` asks of a charge. Source: Charge, p. 31-32."""
    if query.steps is not None:
        return Ruling(status="refused", because=(_WAY,), advice="Steps are for ranked units; tell a heading.")
    if query.step == "declare":
        declared = declare(table, query.attacker, query.target, query.reach_in)
        return replace(declared, value={**declared.value, "declare": word(declared)})
    reach, budget = _reach_mm(table, query), _budget_mm(table, query)
    if reach is None or budget is None:
        need = f"profile.melee of {query.attacker}" if reach is None else f"profile.spd_in of {query.attacker}"
        return Ruling(status="unknown", needs=(need,), because=(_WAY,), touches=_pair(query))
    return _Charging(table, query, _aim(table, query, reach), budget).ruling()


def declare(table: Situation, attacker: str, target: str, reach_in: float | None = None) -> Ruling:
    """Whether a charge may be declared; distance and ground do not matter. Source: Charge, p. 31; p. 32."""
    clauses = [("able", able(table, attacker)), *terms_of(table).charge_clauses(table, attacker, target, reach_in)]
    clauses.append(("sight", line_of_sight(table, Los(viewer=attacker, target=target, purpose="charge"))))
    ruling = all_of(tuple(clauses))
    return replace(ruling, because=(_DECLARE, *(r for r in ruling.because if r != _DECLARE)))


def may_charge(table: Situation, attacker: str, target: str, reach_in: float | None) -> Clauses:
    """What a charge takes besides sight and the ability to attack. Source: Charge, p. 31; Crippled Movement, p. 58."""
    friends = not are_enemies(table.state, table.miniature(attacker), table.miniature(target))
    return (
        ("card", by_card(table, attacker, reach_in)),
        ("enemy", _plain(target, not friends, _FRIEND)),
    )


def by_card(table: Situation, attacker: str, reach_in: float | None) -> Ruling:
    """Whether its card lets it charge. Source: Charge, p. 31; Crippled Movement, p. 58."""
    me = table.miniature(attacker)
    if "crippled-movement" in me.status:
        return _plain(attacker, False, _CRIPPLED)
    if "action" in forfeited(table, attacker):
        return _plain(attacker, False, _FORFEIT)
    if reach_in is None and not weapon_reaches(me):
        need = f"profile.melee of {attacker}"
        unknown = Ruling(status="unknown", needs=(need,), because=(_UNARMED,), touches=(attacker,))
        return _plain(attacker, False, _UNARMED) if me.profile.ranged else unknown
    return _plain(attacker, True, _DECLARE)


def _plain(who: str, holds: bool, reason: Reason) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM if holds else -CAPPED_MM, because=(reason,), touches=(who,))


def covered_mm(table: Situation, travelled: float, ground: tuple[Stretch, ...]) -> float:
    """What counts toward 3 in: the way, or the movement it cost where players read it so. Source: Charge, p. 31."""
    return cost_mm(travelled, ground) if table.reading("three-inches") == "spent" else travelled


def _degrees_of(fan: Fan) -> list[JsonValue]:
    """From where to where a fan runs: the first from -180 to 180, the last behind it as far as it is wide."""
    first = math.degrees(math.remainder(fan.first_rad, math.tau))
    return [first, first + math.degrees(fan.width_rad)]


def _pair(query: Charge) -> tuple[str, str]:
    return (query.attacker, query.target)


def _reach_mm(table: Situation, query: Charge) -> float | None:
    if query.reach_in is not None:
        return inches(query.reach_in)
    return max(weapon_reaches(table.miniature(query.attacker)).values(), default=None)


def _budget_mm(table: Situation, query: Charge) -> float | None:
    """Source: Charge, p. 31: the current speed and 3 in."""
    speed = speed_mm(table, query.attacker) if query.speed_in is None else inches(query.speed_in)
    return None if speed is None else speed + EXTRA_MM


def _aim(table: Situation, query: Charge, reach: float) -> Aim:
    everywhere = table.miniature(query.attacker).front_arc_deg == 360 or table.reading("melee-shape") == "ring"
    return Aim(table.base(query.attacker), table.base(query.target), reach, everywhere, query.target)


@dataclass(frozen=True)
class _Charging:
    """One charge on its way to a ruling."""

    table: Situation
    query: Charge
    aim: Aim
    budget_mm: float

    def ruling(self) -> Ruling:
        steps = {"heading": self._of_heading, "outcome": self._of_outcome, "attack": self._of_attack}
        ruling = steps[self.query.step]()
        return replace(
            ruling,
            value={} if self.table.lean else self._value(),
            lengths_mm={"travelled": self.travelled_mm},
            witness=() if self.table.nudges else (self._way(), *ruling.witness),
            touches=tuple(dict.fromkeys((*_pair(self.query), *ruling.touches))),
        )

    @once
    def found(self) -> Rush:
        """The rush along the heading told, else along the best one that there is on the table at rest."""
        told = self.query.heading_deg
        return self._rushed(self._search.best if told is None else radians(told))

    @once
    def _rivals(self) -> tuple[Rush, ...]:
        """Rushes along other headings that may do as well; none when the heading is told."""
        headings = self._search.rivals if self.query.heading_deg is None else ()
        return tuple(eased(self._rushed(heading)) for heading in headings)

    def _rushed(self, heading_rad: float) -> Rush:
        """The rush along a heading, worked out once."""
        if heading_rad not in self._tried:
            self._tried[heading_rad] = rush(self.aim, heading_rad, self._going, self.budget_mm)
        return self._tried[heading_rad]

    @once
    def _tried(self) -> dict[float, Rush]:
        """Scratch space."""
        return {}

    @once
    def _slack_mm(self) -> float:
        return max(one.slack_mm for one in (self.found, *self._rivals))

    @once
    def travelled_mm(self) -> float:
        return self._reaching[1]

    @once
    def covered_mm(self) -> float:
        """What counts toward 3 in."""
        return covered_mm(self.table, self.travelled_mm, self.found.walked.ground)

    @once
    def _going(self) -> Going:
        """What matters on the way; along the best headings only what stands near the straight one."""
        if self.query.heading_deg is not None:
            return charging(self.table, self.query.attacker)
        return near_enough(self.aim, self._about())

    def _about(self) -> Going:
        """All that matters to somebody who charges; on a nudged table what at rest is near enough to come near."""
        if not self.table.nudges or self.table.placed_mm:
            return charging(self.table, self.query.attacker)

        def find(still: Situation) -> Going:
            aim = _aim(still, self.query, self.aim.reach_mm)
            return near_enough(aim, charging(still, self.query.attacker), beside_mm=_BESIDE_MM)

        what = ("near a charge", *_pair(self.query), self.aim.reach_mm)
        return lying(self.table, self.table.regardless_of_facings().settled(what, find))

    @once
    def _search(self) -> Search:
        """The search on the table at rest, done once."""
        still = self.table.still

        def begin() -> Search:
            aim = _aim(still, self.query, self.aim.reach_mm)
            return Search(aim, charging(still, self.query.attacker), self.budget_mm)

        if still.placed_mm:
            return begin()
        read = tuple(still.reading(key) for key in ("graze", "melee-shape"))
        return remember(still.state, ("charge", *_pair(self.query), self.aim.reach_mm, self.budget_mm, read), begin)

    def _of_heading(self) -> Ruling:
        """Whether the direction ever brings the target into reach. Source: Charge, p. 31."""
        return Ruling(margin_mm=self.found.legal_slack_mm, because=(_HEADING,), touches=_pair(self.query))

    def _of_outcome(self) -> Ruling:
        """Whether it may be declared and ends with the target in reach and in sight. Source: Charge, p. 31."""
        conditions: Conditions = (
            ("declare", lambda table: self._on(table).declared()),
            ("reach", lambda table: self._on(table)._reaching[0]),
            ("level", lambda table: self._on(table)._level()),
            ("sight", lambda table: self._on(table)._sight()),
        )
        what = ("charge", self.query)
        joined = all_settled(self.table, what, conditions)

        def first(still: Situation) -> str:
            parts = ((name, still.recalled((what, name), rule)) for name, rule in conditions)
            return next((name for name, one in parts if not is_met(one)), "reach")

        name = first(self.table.still) if self.table.placed_mm else self.table.settled((what, "told"), first)
        if self.table.nudges:  # the margin of what is told of the table at rest
            return replace(joined, margin_mm=dict(conditions)[name](self.table).margin_mm, slack_mm=joined.decisive_mm)
        told = dict(conditions)[name](self.table)
        return replace(
            joined,
            margin_mm=told.margin_mm,
            slack_mm=joined.decisive_mm,
            value={},
            because=told.because,
            witness=told.witness,
            readings=(*joined.readings, *(("charge-no-sight",) if name == "sight" else ())),
        )

    def _on(self, table: Situation) -> "_Charging":
        """The same charge on another table."""
        if table is self.table:
            return self
        return replace(self, table=table, aim=_aim(table, self.query, self.aim.reach_mm))

    def declared(self) -> Ruling:
        """Whether it may be declared; what cannot be told of that is left open."""
        ruling = declare(self.table, self.query.attacker, self.query.target, self.query.reach_in)
        return ruling if ruling.status == "decided" else _plain(self.query.attacker, True, _DECLARE)

    @once
    def _reaching(self) -> tuple[Ruling, float]:
        """Whether the target comes into reach, and how far it goes; found once for all ways that anybody may look."""
        what = ("charged", self.query, self.aim.reach_mm, self.budget_mm, *self.table.nudges.items())
        return self.table.regardless_of_facings().lately(what, lambda: (self._reached(), self._stop_mm()))

    def _stop_mm(self) -> float:
        return self.found.stop(None if self.query.stop_after_in is None else inches(self.query.stop_after_in))

    def _reached(self) -> Ruling:
        """Whether the target comes into reach; of several headings that do as well one is enough."""
        reasons = (_HEADING, _WAY, *((_ROUGH,) if self.found.walked.ground else ()))
        met = (id_ for one in (self.found, *self._rivals) for id_ in one.hangs_on)
        return Ruling(
            margin_mm=self.found.left_mm,
            slack_mm=self._slack_mm,
            zero_is_met=self.found.gets_there,
            because=(*reasons, _STOP if self.found.gets_there else _SHORT),
            readings=("graze",),
            touches=tuple(dict.fromkeys((*_pair(self.query), *met))),
        )

    def _level(self) -> Ruling:
        """Whether it reaches its target across the levels where it ends. Source: Melee Range & Elevation, p. 78."""
        level = reach_ruling(self._ended, self.query.attacker, self.query.target, {"reach": self.aim.reach_mm})
        return level if level.value.get("height_mm") and self._is_near else _sure(self.query)

    def _sight(self) -> Ruling:
        """Whether it sees its target where it ends: without, it does not engage it. Source: Charge, p. 31; p. 43."""
        if not self._is_near or self.table.reading("charge-no-sight") != "failed":
            return _sure(self.query)
        asked = Los(viewer=self.query.attacker, target=self.query.target, purpose="melee")
        sight = line_of_sight(self._ended, asked)
        if sight.status != "decided":
            return _sure(self.query)
        faces = tuple(id_ for id_ in sight.faces if id_ != self.query.attacker)
        return replace(sight, because=(_SEE,), faces=faces, form=None, conditions=())  # its end moves with its target

    @property
    def _is_near(self) -> bool:
        """Whether what it finds at its end may matter."""
        return self._reaching[0].decisive_mm > -SAFE_MM

    def _of_attack(self) -> Ruling:
        """Whether the first blow is a charge attack. Source: Charge, p. 31: 3 in, and the charge gets there."""
        outcome = self._of_outcome()
        slow = ("three-inches",) if self.found.walked.ground else ()
        far = Ruling(
            margin_mm=self.covered_mm - CHARGE_ATTACK_MM,
            because=(_ATTACK,),
            readings=slow,
            doubtful=slow,
            touches=_pair(self.query),
        )
        joined = all_of((("outcome", outcome), ("far", far)))
        return replace(joined, margin_mm=far.margin_mm, slack_mm=joined.decisive_mm) if is_met(outcome) else joined

    @once
    def _ended(self) -> Situation:
        """The table with the charger at its end, turned to face its target. Source: Charge, p. 31."""
        end, (bx, by) = self.found.place(self.travelled_mm), self.table.centre(self.query.target)
        there = self.table.placed(self.query.attacker, end)
        return there.facing(self.query.attacker, math.atan2(by - end[1], bx - end[0]))

    def _value(self) -> dict[str, JsonValue]:
        found, travelled, fan = self.found, self.travelled_mm, self.aim.fan()
        (ax, ay), (bx, by) = found.place(travelled), self.table.centre(self.query.target)
        declared = declare(self.table, self.query.attacker, self.query.target, self.query.reach_in)
        value: dict[str, JsonValue] = {
            "declare": word(declared),
            "heading": {
                "heading_deg": degrees(found.heading_rad) % 360.0,
                "legal": "yes" if found.legal_slack_mm >= -1e-9 else "no",
                "fan_deg": _degrees_of(fan),
            },
            "stop_mm": [found.first_mm, found.last_mm] if found.gets_there else None,
            "way_mm": found.walked.travelled_mm,
            "travelled_mm": travelled,
            "stopped_by": found.stopped_by if travelled >= found.last_mm - 1e-9 else None,
            "poses": {
                self.query.attacker: {
                    "at_mm": list(found.place(travelled)),
                    "facing_deg": degrees(math.atan2(by - ay, bx - ax)) % 360.0,
                }
            },
            "attack": "yes" if found.gets_there and self.covered_mm >= CHARGE_ATTACK_MM - 1e-9 else "no",
        }
        if self.query.heading_deg is None:
            value["open_deg"] = [[degrees(f.first_rad), degrees(f.last_rad)] for f in self._search.fans]
        return value

    def _way(self) -> Witness:
        points = (self.found.walked.path[0], self.found.place(self.travelled_mm))
        return Witness(type="segment", role="path", points_mm=points, of=(self.query.attacker,))


def _sure(query: Charge) -> Ruling:
    return Ruling(margin_mm=CAPPED_MM, touches=_pair(query))
