"""Scenarios: where their things, terrain and reinforcements are put, which side holds what, and what it scores."""

from dataclasses import replace

from pydantic import JsonValue

from models.queries import B2b, ObjectiveControl, Reinforcements, ScenarioLayout, Score, TerrainPlacement
from models.state import TableState
from models.terrain import Objective, Terrain, Zone
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.melee.attack_eligibility import check_formation
from referee.editions.warmachine.miniatures.distances import b2b
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.setup.deployment import clearance_clauses, place, played_scenario
from referee.editions.warmachine.setup.scenarios import (
    FLAG_MM,
    PRINTED,
    ZONE_MM,
    Layout,
    PrintedScenario,
    first_side,
    lay_out,
    printed_scenario,
)
from referee.editions.warmachine.terrain.features import FEATURES, counts_as, find_feature, ground_of
from referee.geometry.containment import depth_of_base, reach_into
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, disc, polygon_area
from referee.rules.candidates import evaluate_each, in_play, is_met
from referee.rules.conditions import Clauses, all_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, Value, ask_for, plain_condition
from referee.rules.sides import friends_of

_DEPLOY = because("Setup, Deployment & Victory Conditions", 26, "The first player has 7 in of depth, the second 10 in.")
_NO_TEXT = because("Scenarios", 82, "The book prints nine scenarios; a home-made one is told by its flags and zones.")
FLAG_CLEAR_MM = inches(5)  # Source: Close Quarters, p. 84
_ZONES = because("Incoming", 85, "No obstruction is put inside a control zone.")
_FLAGS = because("Close Quarters", 84, "Within 5 in of a flag nothing is put that keeps a base from touching it.")
AMBUSH_MM = inches(3)  # Source: Cephalyx Theme Force, p. 94
RESERVE_MM = inches(8)  # Source: Reinforcements, p. 86
_AMBUSH = because("Cephalyx Theme Force", 94, "Ambush: completely within 3 in of any edge but the back of the enemy's.")
_LATER = because("Cephalyx Theme Force", 94, "Not before the player's second turn.")
_NO_AMBUSH = because("Outflank", 86, "Ambush is lost in this scenario.")
_RESERVE = because("Reinforcements", 86, "Completely within 8 in of the player's own rear edge, from his second turn.")
_CASTER = because("Reinforcements", 86, "A warcaster cannot be a reinforcement.")
CONTEST_MM = inches(4)  # Source: Flags, p. 83
FLAG = because("Flags", 83, "Who touches a flag controls it, unless an opponent's model is within 4 in of it.")
ZONE = because("Zones", 83, "Who has a model in a zone controls it, unless an opponent has one in it too.")
_WHO = because("Flags", 83, "Wild, inert and out of formation models neither control nor contest.")
_BARRED = frozenset({"wild", "inert", "out-of-formation"})
_NOWHERE = because("Scenarios", 82, "Without flags or zones on the table nothing can be scored.")


def scenario_layout(table: ExactTable, query: ScenarioLayout) -> RuleResult:
    """Scenario layout: where flags, zones and deployment of a printed scenario lie on this table.

    Source: Scenarios, p. 82-87.
    """
    stated = table.state.scenario
    name = query.scenario if query.scenario is not None else (stated.name if stated is not None else None)
    if name is None:
        return ask_for("scenario", because=(_NO_TEXT,))
    scenario = printed_scenario(name)
    if scenario is None:
        known = ", ".join(PRINTED)
        return RuleResult(
            status="refused", because=(_NO_TEXT,), advice=f"The book prints no {name!r}; it prints {known}."
        )
    laid = lay_out(table.state, scenario)
    if laid is None:
        return ask_for("sides: the edge of the first player", because=(_DEPLOY,))
    return RuleResult(
        status="measured",
        value=_value(laid),
        witness=_draw_layout(laid),
        because=(scenario.reason("Flags and zones are measured from the players' edges and right hands."), _DEPLOY),
    )


def _value(laid: Layout) -> Value:
    return {
        "flags": [list(point) for point in laid.flags],
        "zones": [{"centre_mm": list(point), "diameter_mm": ZONE_MM} for point in laid.zones],
        "deployment": {
            side: [[list(point) for point in outline] for outline in outlines]
            for side, outlines in laid.deployment.items()
        },
    }


def _draw_layout(laid: Layout) -> tuple[Witness, ...]:
    flags = (Witness(type="circle", role="limit", centre_mm=p, radius_mm=FLAG_MM / 2) for p in laid.flags)
    zones = (Witness(type="circle", role="limit", centre_mm=p, radius_mm=ZONE_MM / 2) for p in laid.zones)
    outlines = (outline for some in laid.deployment.values() for outline in some)
    return (*flags, *zones, *(Witness(type="polygon", role="limit", points_mm=o) for o in outlines))


def terrain_placement(table: ExactTable, query: TerrainPlacement) -> RuleResult:
    """Terrain placement: whether a piece may lie there in this scenario; touching a limit is too near.

    Source: Scenarios, p. 84-87.
    """
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(FEATURES,), advice=f"{query.feature} is no terrain.")
    scenario = printed_scenario(table.state.scenario.name if table.state.scenario is not None else None)
    if scenario is None:
        return ask_for("scenario.name", because=(_ZONES, _FLAGS))
    closed = ground_of(feature, counts_as(table, feature)) == "impassable"
    return all_of(
        (
            ("zones", _check_off_zones(table, feature, scenario, closed)),
            ("flags", _check_off_flags(table, feature, scenario, closed)),
        )
    )


def _layout_of(table: ExactTable, scenario: PrintedScenario) -> Layout:
    """Where flags and zones lie: as told, else as printed."""
    flags = tuple(o.at_mm for o in table.state.objectives if o.kind == "flag" and o.at_mm is not None)
    zones = tuple(table.area(z.id).parts[0].centre for z in table.state.zones if z.kind == "control")
    if flags or zones:
        return Layout(flags, zones)
    return lay_out(table.state, scenario) or Layout()


def _check_off_zones(table: ExactTable, feature: Terrain, scenario: PrintedScenario, closed: bool) -> RuleResult:
    """Source: Incoming, p. 85."""
    zones = tuple(z.id for z in table.state.zones if z.kind == "control")
    areas = [table.area(z) for z in zones] or [
        Area((disc(centre, ZONE_MM / 2),)) for centre in _layout_of(table, scenario).zones
    ]
    if not closed or not areas:
        return RuleResult(margin_mm=CAPPED_MM, because=(_ZONES,), depends_on_place=(feature.id,))
    apart = min(area_gap(table.area(feature.id), area).mm for area in areas)
    return RuleResult(margin_mm=apart, zero_is_met=False, because=(_ZONES,), depends_on_place=(feature.id, *zones))


def _check_off_flags(table: ExactTable, feature: Terrain, scenario: PrintedScenario, closed: bool) -> RuleResult:
    """Source: Close Quarters, p. 84."""
    flags = _layout_of(table, scenario).flags
    if not closed or not flags:
        return RuleResult(margin_mm=CAPPED_MM, because=(_FLAGS,), depends_on_place=(feature.id,))
    apart = min(area_gap(table.area(feature.id), Area((disc(at, FLAG_MM / 2),))).mm for at in flags)
    return RuleResult(
        margin_mm=apart - FLAG_CLEAR_MM, zero_is_met=False, because=(_FLAGS,), depends_on_place=(feature.id,)
    )


def reinforcements(table: ExactTable, query: Reinforcements) -> RuleResult:
    """Reinforcements: whether it may come on along that edge.

    Source: Cephalyx Theme Force, p. 94; Reinforcements, p. 86.
    """
    if not query.edge.startswith("edge:"):
        return RuleResult(status="refused", because=(_AMBUSH, _RESERVE), advice="Name a table edge, such as edge:left.")
    if query.manner == "pursuit":
        return RuleResult(status="refused", because=(_RESERVE,), advice="The book knows no return of pursuers.")
    table = place(table, query.who, query.to)
    manner = query.manner or ("ambush" if table.miniature(query.who).has("ambush") else "reserve")
    limit = AMBUSH_MM if manner == "ambush" else RESERVE_MM
    special = _ambush_clauses(table, query) if manner == "ambush" else _reserve_clauses(table, query)
    result = all_of((("strip", _check_strip(table, query, limit)), *special, *clearance_clauses(table, query.who)))
    outline = _outline_of_strip(table, query.edge, limit)
    return replace(
        result,
        value={**result.value, "depth_mm": limit, "manner": manner},
        witness=(Witness(type="polygon", role="limit", points_mm=outline),),
    )


def _outline_of_strip(table: ExactTable, edge: str, limit: float) -> tuple[Point, ...]:
    width, depth = table.state.table.width_mm, table.state.table.depth_mm
    boxes = {
        "edge:near": (0.0, 0.0, width, limit),
        "edge:far": (0.0, depth - limit, width, depth),
        "edge:left": (0.0, 0.0, limit, depth),
        "edge:right": (width - limit, 0.0, width, depth),
    }
    left, near, right, far = boxes[edge]
    return ((left, near), (right, near), (right, far), (left, far))


def _check_strip(table: ExactTable, query: Reinforcements, limit: float) -> RuleResult:
    reason = _AMBUSH if limit == AMBUSH_MM else _RESERVE
    depth = depth_of_base(table.base(query.who), (polygon_area(_outline_of_strip(table, query.edge, limit)),))
    return RuleResult(margin_mm=depth, because=(reason,), depends_on_place=(query.who,))


def _ambush_clauses(table: ExactTable, query: Reinforcements) -> Clauses:
    """Source: Cephalyx Theme Force, p. 94; Outflank, p. 86."""
    me, scenario = table.miniature(query.who), played_scenario(table)
    rears = {f"edge:{s.edge}" for s in table.state.sides if s.id != me.side}
    lost = scenario is not None and (scenario.outflanks or scenario.reserves)
    return (
        ("edge", plain_condition(query.who, query.edge not in rears, _AMBUSH)),
        (
            "ability",
            plain_condition(query.who, me.has("ambush") and not lost, *((_NO_AMBUSH,) if lost else (_AMBUSH,))),
        ),
        ("turn", _check_after_first_turn(table, query.who, _LATER)),
    )


def _reserve_clauses(table: ExactTable, query: Reinforcements) -> Clauses:
    """Source: Reinforcements, p. 86."""
    me, scenario = table.miniature(query.who), played_scenario(table)
    own = {f"edge:{s.edge}" for s in table.state.sides if s.id == me.side}
    return (
        ("edge", plain_condition(query.who, query.edge in own, _RESERVE)),
        ("scenario", plain_condition(query.who, scenario is not None and scenario.reserves, _RESERVE)),
        ("kind", plain_condition(query.who, me.type != "warcaster", _CASTER)),
        ("turn", _check_after_first_turn(table, query.who, _RESERVE)),
    )


def _check_after_first_turn(table: ExactTable, miniature: str, reason: Reason) -> RuleResult:
    """Whether it is not the player's first turn any more."""
    turn = table.state.turn
    if turn is None or turn.round is None:
        return ask_for("turn.round", because=(reason,), on=(miniature,))
    return plain_condition(miniature, turn.round >= 2, reason)


def objective_control(table: ExactTable, query: ObjectiveControl) -> RuleResult:
    """Objective control: which side holds a flag or a zone, and who contests it. Source: Flags and Zones, p. 83."""
    thing = table.state.by_id[query.objective]
    if not isinstance(thing, Objective | Zone):
        return RuleResult(status="refused", because=(FLAG, ZONE), advice=f"{query.objective} is no flag and no zone.")

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return _check_in_reach(perturbed, query.objective, id_)

    ids = tuple(sorted(in_play(table), key=lambda id_: area_gap(table.area(query.objective), table.area(id_)).mm))
    held = _Holders(table, query.objective, ids)
    return RuleResult(
        status="measured",
        value=held.value(),
        witness=_draw_limit(table, thing),
        because=(FLAG if isinstance(thing, Objective) else ZONE, _WHO),
        readings=("flag-distance",) if isinstance(thing, Objective) else ("area-touch",),
        members=evaluate_each(table, ids, about),
    )


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

    def value(self) -> Value:
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
        return ask_for(*needs, because=(_NOWHERE,))
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
