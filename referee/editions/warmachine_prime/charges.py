"""Charges: may one be declared, which ways, does it get there, and is the first blow a charge attack."""

import math
from dataclasses import dataclass, replace

from pydantic import JsonValue

from models.queries import Charge, Los
from models.units import degrees, inches, radians
from models.verdict import CAPPED_MM, Reason, Witness
from referee.candidates import is_met, word
from referee.clauses import Clauses, all_of
from referee.editions.warmachine_prime.able import able, forfeited
from referee.editions.warmachine_prime.going import charging
from referee.editions.warmachine_prime.melee import reach_ruling, weapon_reaches
from referee.editions.warmachine_prime.parameters import CHARGE_ATTACK_MM, because
from referee.editions.warmachine_prime.paths import speed_mm
from referee.editions.warmachine_prime.sight import line_of_sight
from referee.editions.warmachine_prime.terms import terms_of
from referee.ruling import Ruling
from referee.rush import Aim, Rush, rush
from referee.rush_search import Search
from referee.sides import are_enemies
from referee.situation import Situation
from referee.travel import Going

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
    declared = declare(table, query.attacker, query.target, query.reach_in)
    if query.step == "declare":
        return replace(declared, value={**declared.value, "declare": word(declared)})
    reach, budget = _reach_mm(table, query), _budget_mm(table, query)
    if reach is None or budget is None:
        need = f"profile.melee of {query.attacker}" if reach is None else f"profile.spd_in of {query.attacker}"
        return Ruling(status="unknown", needs=(need,), because=(_WAY,), touches=_pair(query))
    return _Charging(table, query, declared, _aim(table, query, reach), budget).ruling()


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
    return Aim(table.base(query.attacker), table.base(query.target), reach, all_round=everywhere)


@dataclass(frozen=True)
class _Charging:
    """One charge on its way to a ruling."""

    table: Situation
    query: Charge
    declared: Ruling
    aim: Aim
    budget_mm: float

    def ruling(self) -> Ruling:
        heading = self._heading()
        found = rush(self.aim, heading, self._going(), self.budget_mm)
        travelled = found.stop(None if self.query.stop_after_in is None else inches(self.query.stop_after_in))
        steps = {"heading": self._of_heading, "outcome": self._of_outcome, "attack": self._of_attack}
        ruling = steps[self.query.step](found, travelled)
        if self.query.step != "heading" and self.declared.status == "decided" and not is_met(self.declared):
            ruling = replace(self.declared, readings=(*self.declared.readings, *ruling.readings))
        return replace(
            ruling,
            value={**ruling.value, **self._value(found, travelled)},
            lengths_mm={"travelled": travelled},
            witness=(self._way(found, travelled), *ruling.witness),
            touches=tuple(dict.fromkeys((*_pair(self.query), *ruling.touches, *self._met(found)))),
        )

    def _going(self) -> Going:
        return charging(self.table, self.query.attacker)

    def _heading(self) -> float:
        """The heading told, else the best one there is on the table at rest."""
        if self.query.heading_deg is not None:
            return radians(self.query.heading_deg)
        return self._search().best()

    def _search(self) -> Search:
        """The search on the table at rest: done once, and what a nudge changes is asked along its heading."""
        still = self.table.still

        def begin() -> Search:
            aim = _aim(still, self.query, self.aim.reach_mm)
            return Search(aim, charging(still, self.query.attacker), self.budget_mm)

        what = f"charge {self.query.target} {self.aim.reach_mm} {self.budget_mm} {sorted(still.readings.items())}"
        return still.remembered(what, self.query.attacker, begin)

    def _of_heading(self, found: Rush, travelled: float) -> Ruling:
        """Whether the direction ever brings the target into reach. Source: Charge, p. 31."""
        return Ruling(margin_mm=found.legal_slack_mm, because=(_HEADING,), touches=_pair(self.query))

    def _of_outcome(self, found: Rush, travelled: float) -> Ruling:
        """Whether it ends with the target in reach and in sight. Source: Charge, p. 31."""
        reasons = (_HEADING, _WAY, *((_ROUGH,) if found.walked.ground else ()))
        reach = Ruling(
            margin_mm=found.left_mm, slack_mm=found.slack_mm, because=(*reasons, _STOP), touches=_pair(self.query)
        )
        if not is_met(reach):
            return replace(reach, because=(*reasons, _SHORT))
        ended = self._ended(found, travelled)
        reach_now = reach_ruling(ended, self.query.attacker, self.query.target, {"reach": self.aim.reach_mm})
        sight = line_of_sight(ended, Los(viewer=self.query.attacker, target=self.query.target, purpose="melee"))
        clauses = [("reach", reach)]
        clauses += [("level", reach_now)] if reach_now.value.get("height_mm") else []
        if sight.status == "decided" and not is_met(sight) and self.table.reading("charge-no-sight") == "failed":
            clauses.append(("sight", replace(sight, because=(_SEE,), witness=sight.witness)))
        if len(clauses) == 1:
            return reach
        return replace(all_of(tuple(clauses)), readings=("charge-no-sight",), value={})

    def _of_attack(self, found: Rush, travelled: float) -> Ruling:
        """Whether the first blow is a charge attack. Source: Charge, p. 31: 3 in, and the charge gets there."""
        outcome = self._of_outcome(found, travelled)
        far = Ruling(margin_mm=travelled - CHARGE_ATTACK_MM, because=(_ATTACK,), touches=_pair(self.query))
        return far if is_met(outcome) else all_of((("outcome", outcome), ("far", far)))

    def _ended(self, found: Rush, travelled: float) -> Situation:
        """The table with the charger at its end, turned to face its target. Source: Charge, p. 31."""
        there = self.table.placed(self.query.attacker, found.place(travelled))
        (ax, ay), (bx, by) = found.place(travelled), self.table.centre(self.query.target)
        return there.facing(self.query.attacker, math.atan2(by - ay, bx - ax))

    def _value(self, found: Rush, travelled: float) -> dict[str, JsonValue]:
        (ax, ay), (bx, by) = found.place(travelled), self.table.centre(self.query.target)
        got_there = found.slack_mm >= -1e-9
        fan = self.aim.fan()
        value: dict[str, JsonValue] = {
            "declare": word(self.declared),
            "heading": {
                "heading_deg": degrees(found.heading_rad) % 360.0,
                "legal": "yes" if found.legal_slack_mm >= -1e-9 else "no",
                "fan_deg": [degrees(fan.first_rad), degrees(fan.last_rad)],
            },
            "stop_mm": [found.first_mm, found.last_mm] if got_there else None,
            "travelled_mm": travelled,
            "stopped_by": found.stopped_by if travelled >= found.last_mm - 1e-9 else None,
            "poses": {
                self.query.attacker: {
                    "at_mm": list(found.place(travelled)),
                    "facing_deg": degrees(math.atan2(by - ay, bx - ax)) % 360.0,
                }
            },
            "attack": "yes" if got_there and travelled >= CHARGE_ATTACK_MM - 1e-9 else "no",
        }
        if self.query.heading_deg is None and not self.table.lean:
            value["open_deg"] = [[degrees(f.first_rad), degrees(f.last_rad)] for f in self._search().fans()]
        return value

    def _way(self, found: Rush, travelled: float) -> Witness:
        points = (found.walked.path[0], found.place(travelled))
        return Witness(type="segment", role="path", points_mm=points, of=(self.query.attacker,))

    def _met(self, found: Rush) -> tuple[str, ...]:
        """What the way hangs on: what stopped it, and slow ground."""
        stopper = () if found.walked.stopped_by is None else (found.walked.stopped_by,)
        return (*stopper, *(stretch.id for stretch in found.walked.ground))
