"""Score: what a side scores at the end of its turn."""

from models.queries import Score
from models.state import TableState
from referee.editions.warmachine.prime.objective_control import FLAG, ZONE, controller_of
from referee.editions.warmachine.prime.parameters import because
from referee.editions.warmachine.setup.scenarios import PrintedScenario, first_side, printed_scenario
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult
from referee.rules.sides import friends_of

_NOWHERE = because("Scenarios", 82, "Without flags or zones on the table nothing can be scored.")


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
    told = table.state.scenario
    scored = told.scored if told is not None and scenario.once else ()
    things = (id_ for id_ in _scoring_things(table.state, scenario) if id_ not in scored)
    friends = friends_of(table.state, scorer)
    return [(id_, 1.0) for id_ in things if controller_of(table, id_) in friends]
