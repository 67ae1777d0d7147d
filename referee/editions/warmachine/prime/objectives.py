"""Objectives: which side holds a flag or a zone, who contests it, and what a side scores."""

from pydantic import JsonValue

from models.queries import B2b, ObjectiveControl, Score
from models.state import TableState
from models.terrain import Objective, Zone
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from referee.editions.warmachine.melee.attack_eligibility import check_formation
from referee.editions.warmachine.miniatures.distances import b2b
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.setup.scenarios import PrintedScenario, first_side, printed_scenario
from referee.geometry.containment import reach_into
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, disc
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.sides import friends_of

CONTEST_MM = inches(4)  # Source: Flags, p. 83
FLAG = because("Flags", 83, "Who touches a flag controls it, unless an opponent's model is within 4 in of it.")
ZONE = because("Zones", 83, "Who has a model in a zone controls it, unless an opponent has one in it too.")
_WHO = because("Flags", 83, "Wild, inert and out of formation models neither control nor contest.")
_BARRED = frozenset({"wild", "inert", "out-of-formation"})
_NOWHERE = because("Scenarios", 82, "Without flags or zones on the table nothing can be scored.")


def objective_control(table: ExactTable, query: ObjectiveControl) -> RuleResult:
    """Objective control: which side holds a flag or a zone, and who contests it. Source: Flags and Zones, p. 83."""
    thing = table.state.by_id[query.objective]
    if not isinstance(thing, Objective | Zone):
        return RuleResult(status="refused", because=(FLAG, ZONE), advice=f"{query.objective} is no flag and no zone.")

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_in_reach(perturbed, query.objective, id_)

    ids = tuple(sorted(in_play(table), key=lambda id_: _apart_mm(table, query.objective, id_)))
    held = _Holders(table, query.objective, ids)
    return RuleResult(
        status="measured",
        value=held.value(),
        witness=_draw_limit(table, thing),
        because=(FLAG if isinstance(thing, Objective) else ZONE, _WHO),
        readings=("flag-distance",) if isinstance(thing, Objective) else ("area-touch",),
        members=evaluate_each(table, ids, about),
    )


def _apart_mm(table: ExactTable, objective: str, id_: str) -> float:
    return area_gap(table.area(objective), table.area(id_)).mm


def _check_in_reach(table: ExactTable, objective: str, id_: str) -> RuleResult:
    """Whether a model that counts is near enough to a flag to contest it, or in a zone. Source: p. 83."""
    return all_of((("counts", check_counts(table, id_)), ("near", _check_near(table, objective, id_))))


def check_counts(table: ExactTable, id_: str) -> RuleResult:
    """Whether a model can control and contest at all. Source: Flags and Zones, p. 83."""
    if _BARRED & set(table.miniature(id_).status):
        return RuleResult(margin_mm=-CAPPED_MM, because=(_WHO,), depends_on_place=(id_,))
    formed = check_formation(table, id_)
    return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(id_,)) if formed.status == "unknown" else formed


def _check_near(table: ExactTable, objective: str, id_: str) -> RuleResult:
    """Source: Flags, p. 83: within 4 in; Zones, p. 83: any part of the base."""
    thing = table.state.by_id[objective]
    if isinstance(thing, Zone):
        depth = reach_into(table.base(id_), table.area(objective))
        covered = table.reading("area-touch") == "covered"
        return RuleResult(margin_mm=depth, zero_is_met=covered, because=(ZONE,), depends_on_place=(id_, objective))
    marker = table.area(objective)
    if table.reading("flag-distance") == "centre":
        marker = Area(tuple(disc(part.centre, 0.0) for part in marker.parts))
    apart = max(0.0, area_gap(marker, table.area(id_)).mm)
    return RuleResult(margin_mm=CONTEST_MM - apart, because=(FLAG,), depends_on_place=(id_, objective))


class _Holders:
    """Who holds one flag or zone on the exact table."""

    def __init__(self, table: ExactTable, objective: str, ids: tuple[str, ...]) -> None:
        self.table, self.objective = table, objective
        self.near = tuple(id_ for id_ in ids if is_met(_check_in_reach(table, objective, id_), "contests"))
        self.holding = tuple(id_ for id_ in self.near if self._is_holding(id_))

    def _is_holding(self, id_: str) -> bool:
        """Source: Flags, p. 83: base contact; Zones, p. 83: being in it."""
        if isinstance(self.table.state.by_id[self.objective], Zone):
            return True
        touching = b2b(self.table, B2b(a=id_, b=self.objective))
        return (
            touching.contact_probability >= 0.5
            if touching.contact_probability is not None
            else is_met(touching, "touches")
        )

    def controller(self) -> str | None:
        sides = dict.fromkeys(self.table.miniature(id_).side for id_ in self.holding)
        return next((side for side in sides if side is not None and not self.opponents_of(side)), None)

    def opponents_of(self, side: str) -> tuple[str, ...]:
        """The opponents near enough to contest."""
        friends = friends_of(self.table.state, side)
        return tuple(id_ for id_ in self.near if self.table.miniature(id_).side not in friends)

    def value(self) -> dict[str, JsonValue]:
        controller = self.controller()
        sides = dict.fromkeys(side for id_ in self.holding if (side := self.table.miniature(id_).side) is not None)
        contested: list[JsonValue] = [id_ for id_ in self.near if any(id_ in self.opponents_of(side) for side in sides)]
        return {
            "controller": controller or "none",
            "contested_by": [] if controller is not None else contested,
            "by_id": {id_: {"why": "holds" if id_ in self.holding else "contests"} for id_ in self.near},
            "ties": [],
        }


def controller_of(table: ExactTable, objective: str) -> str | None:
    """The side that holds a flag or a zone on the exact table. Source: Flags and Zones, p. 83."""
    return _Holders(table, objective, in_play(table)).controller()


def _draw_limit(table: ExactTable, thing: Objective | Zone) -> tuple[Witness, ...]:
    area = table.area(thing.id)
    if isinstance(thing, Zone) and area.outline:
        return (Witness(type="polygon", role="limit", points_mm=area.outline, of=(thing.id,)),)
    further = CONTEST_MM if isinstance(thing, Objective) else 0.0
    return tuple(
        Witness(type="circle", role="limit", centre_mm=p.centre, radius_mm=p.reach_mm + further, of=(thing.id,))
        for p in area.parts
    )


def score(table: ExactTable, query: Score) -> RuleResult:
    """Score: what a side scores at the end of its turn. Source: Close Quarters to Throw Down, p. 84-87."""
    state = table.state
    turn = state.turn
    scorer = query.scorer if query.scorer is not None else (turn.active if turn is not None else None)
    scenario = printed_scenario(state.scenario.name if state.scenario is not None else None)
    needs = _name_missing(state, scorer, scenario)
    if needs or scenario is None or scorer is None:
        return RuleResult(status="unknown", needs=needs, because=(_NOWHERE,))
    if scenario.needed is None:
        reason = scenario.reason("Points are the army points of what the enemy lost.")
        return RuleResult(status="refused", because=(reason,), advice="Add up the points of what was destroyed.")
    parts = _list_scores(table, scenario, scorer) if _is_scoring_now(state, scenario, scorer) else []
    points = float(sum(points for _, points in parts))
    before = 0.0 if state.scenario is None else state.scenario.points.get(scorer, 0.0)
    starts = "the first" if scenario.from_first else "the second"
    says = f"One point for each held at the end of the own turn, from {starts} player's second turn on."
    return RuleResult(
        status="measured",
        value={
            "scorer": scorer,
            "points": points,
            "parts": [{"objective": id_, "points": each} for id_, each in parts],
            "total": before + points,
            "needed": scenario.needed,
            "wins": before + points >= scenario.needed,
        },
        because=(scenario.reason(says), FLAG if scenario.flags else ZONE),
        readings=("flag-distance",) if scenario.flags else ("area-touch",),
    )


def _name_missing(state: TableState, scorer: str | None, scenario: PrintedScenario | None) -> tuple[str, ...]:
    """What has to be told before anything can be scored."""
    needs = [] if scorer is not None else ["scorer"]
    needs += [] if scenario is not None else ["scenario.name"]
    needs += [] if state.turn is not None and state.turn.round is not None else ["turn.round"]
    if scenario is not None and scenario.needed is not None and not _scoring_things(state, scenario):
        needs.append("objectives" if scenario.flags else "zones")
    return tuple(needs)


def _scoring_things(state: TableState, scenario: PrintedScenario) -> tuple[str, ...]:
    if scenario.flags:
        return tuple(o.id for o in state.objectives if o.kind == "flag")
    return tuple(zone.id for zone in state.zones if zone.kind == "control")


def _is_scoring_now(state: TableState, scenario: PrintedScenario, scorer: str) -> bool:
    """Source: Close Quarters, p. 84; Seek & Destroy, p. 87: from whose second turn on, and in the own turn only."""
    turn, first = state.turn, first_side(state)
    if turn is None or turn.round is None or turn.active not in (None, scorer):
        return False
    starts_late = not scenario.from_first and first is not None and first.id == scorer
    return turn.round >= (3 if starts_late else 2)


def _list_scores(table: ExactTable, scenario: PrintedScenario, scorer: str) -> list[tuple[str, float]]:
    """Source: Seek & Destroy, p. 87: there a flag scores once for each player."""
    scenario_state = table.state.scenario
    scored = scenario_state.scored if scenario_state is not None and scenario.once else ()
    things = (id_ for id_ in _scoring_things(table.state, scenario) if id_ not in scored)
    friends = friends_of(table.state, scorer)
    return [(id_, 1.0) for id_ in things if controller_of(table, id_) in friends]
