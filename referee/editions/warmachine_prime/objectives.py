"""Flags and zones: who holds them, and what they score."""

from pydantic import JsonValue

from models.queries import B2b, ObjectiveControl, Score
from models.state import TableState
from models.terrain import Objective, Zone
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from referee.areas import reach_into
from referee.candidates import considered, in_play, is_met
from referee.clauses import all_of
from referee.editions.warmachine_prime.able import in_formation
from referee.editions.warmachine_prime.distances import base_to_base
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.scenarios import Printed, first_side, printed
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.shapes import Area, disc
from referee.sides import friends_of
from referee.situation import Situation

CONTEST_MM = inches(4)  # Source: Flags, p. 83
_FLAG = because("Flags", 83, "Who touches a flag controls it, unless an opponent's model is within 4 in of it.")
_ZONE = because("Zones", 83, "Who has a model in a zone controls it, unless an opponent has one in it too.")
_WHO = because("Flags", 83, "Wild, inert and out of formation models neither control nor contest.")
_BARRED = frozenset({"wild", "inert", "out-of-formation"})
_NOWHERE = because("Scenarios", 82, "Without flags or zones on the table nothing can be scored.")


def objective_control(table: Situation, query: ObjectiveControl) -> Ruling:
    """Which side holds a flag or a zone, and who contests it. Source: Flags and Zones, p. 83."""
    thing = table.state.by_id[query.objective]
    if not isinstance(thing, Objective | Zone):
        return Ruling(status="refused", because=(_FLAG, _ZONE), advice=f"{query.objective} is no flag and no zone.")

    def about(nudged: Situation, id_: str) -> Ruling:
        return _reaches(nudged, query.objective, id_)

    ids = tuple(sorted(in_play(table), key=lambda id_: _apart_mm(table, query.objective, id_)))
    held = _Held(table, query.objective, ids)
    return Ruling(
        status="measured",
        value=held.value(),
        witness=_limit(table, thing),
        because=(_FLAG if isinstance(thing, Objective) else _ZONE, _WHO),
        readings=("flag-distance",) if isinstance(thing, Objective) else ("area-touch",),
        members=considered(table, ids, about),
    )


def _apart_mm(table: Situation, objective: str, id_: str) -> float:
    return area_gap(table.area(objective), table.area(id_)).mm


def _reaches(table: Situation, objective: str, id_: str) -> Ruling:
    """Whether a model that counts is near enough to a flag to contest it, or in a zone. Source: p. 83."""
    return all_of((("counts", counts(table, id_)), ("near", _near(table, objective, id_))))


def counts(table: Situation, id_: str) -> Ruling:
    """Whether a model can control and contest at all. Source: Flags and Zones, p. 83."""
    if _BARRED & set(table.miniature(id_).status):
        return Ruling(margin_mm=-CAPPED_MM, because=(_WHO,), touches=(id_,))
    formed = in_formation(table, id_)
    return Ruling(margin_mm=CAPPED_MM, touches=(id_,)) if formed.status == "unknown" else formed


def _near(table: Situation, objective: str, id_: str) -> Ruling:
    """Source: Flags, p. 83: within 4 in; Zones, p. 83: any part of the base."""
    thing = table.state.by_id[objective]
    if isinstance(thing, Zone):
        depth = reach_into(table.base(id_), table.area(objective))
        covered = table.reading("area-touch") == "covered"
        return Ruling(margin_mm=depth, zero_is_met=covered, because=(_ZONE,), touches=(id_, objective))
    marker = table.area(objective)
    if table.reading("flag-distance") == "centre":
        marker = Area(tuple(disc(part.centre, 0.0) for part in marker.parts))
    apart = max(0.0, area_gap(marker, table.area(id_)).mm)
    return Ruling(margin_mm=CONTEST_MM - apart, because=(_FLAG,), touches=(id_, objective))


class _Held:
    """Who holds one flag or zone on the exact table."""

    def __init__(self, table: Situation, objective: str, ids: tuple[str, ...]) -> None:
        self.table, self.objective = table, objective
        self.near = tuple(id_ for id_ in ids if is_met(_reaches(table, objective, id_)))
        self.holding = tuple(id_ for id_ in self.near if self._holds(id_))

    def _holds(self, id_: str) -> bool:
        """Source: Flags, p. 83: base contact; Zones, p. 83: being in it."""
        if isinstance(self.table.state.by_id[self.objective], Zone):
            return True
        touching = base_to_base(self.table, B2b(a=id_, b=self.objective))
        return touching.contact >= 0.5 if touching.contact is not None else is_met(touching)

    def controller(self) -> str | None:
        sides = dict.fromkeys(self.table.miniature(id_).side for id_ in self.holding)
        return next((side for side in sides if side is not None and not self.against(side)), None)

    def against(self, side: str) -> tuple[str, ...]:
        """The opponents near enough to contest."""
        friends = friends_of(self.table.state, side)
        return tuple(id_ for id_ in self.near if self.table.miniature(id_).side not in friends)

    def value(self) -> dict[str, JsonValue]:
        controller = self.controller()
        sides = dict.fromkeys(side for id_ in self.holding if (side := self.table.miniature(id_).side) is not None)
        contested: list[JsonValue] = [id_ for id_ in self.near if any(id_ in self.against(side) for side in sides)]
        return {
            "controller": controller or "none",
            "contested_by": [] if controller is not None else contested,
            "by_id": {id_: {"why": "holds" if id_ in self.holding else "contests"} for id_ in self.near},
            "ties": [],
        }


def controller_of(table: Situation, objective: str) -> str | None:
    """The side that holds a flag or a zone on the exact table. Source: Flags and Zones, p. 83."""
    return _Held(table, objective, in_play(table)).controller()


def _limit(table: Situation, thing: Objective | Zone) -> tuple[Witness, ...]:
    area = table.area(thing.id)
    if isinstance(thing, Zone) and area.outline:
        return (Witness(type="polygon", role="limit", points_mm=area.outline, of=(thing.id,)),)
    further = CONTEST_MM if isinstance(thing, Objective) else 0.0
    return tuple(
        Witness(type="circle", role="limit", centre_mm=p.centre, radius_mm=p.reach_mm + further, of=(thing.id,))
        for p in area.parts
    )


def score(table: Situation, query: Score) -> Ruling:
    """What a side scores at the end of its turn. Source: Close Quarters to Throw Down, p. 84-87."""
    state = table.state
    turn = state.turn
    scorer = query.scorer if query.scorer is not None else (turn.active if turn is not None else None)
    scenario = printed(state.scenario.name if state.scenario is not None else None)
    needs = _needed(state, scorer, scenario)
    if needs or scenario is None or scorer is None:
        return Ruling(status="unknown", needs=needs, because=(_NOWHERE,))
    if scenario.needed is None:
        reason = scenario.reason("Points are the army points of what the enemy lost.")
        return Ruling(status="refused", because=(reason,), advice="Add up the points of what was destroyed.")
    parts = _parts(table, scenario, scorer) if _scores_now(state, scenario, scorer) else []
    points = float(sum(points for _, points in parts))
    before = 0.0 if state.scenario is None else state.scenario.points.get(scorer, 0.0)
    starts = "the first" if scenario.from_first else "the second"
    says = f"One point for each held at the end of the own turn, from {starts} player's second turn on."
    return Ruling(
        status="measured",
        value={
            "scorer": scorer,
            "points": points,
            "parts": [{"objective": id_, "points": each} for id_, each in parts],
            "total": before + points,
            "needed": scenario.needed,
            "wins": before + points >= scenario.needed,
        },
        because=(scenario.reason(says), _FLAG if scenario.flags else _ZONE),
        readings=("flag-distance",) if scenario.flags else ("area-touch",),
    )


def _needed(state: TableState, scorer: str | None, scenario: Printed | None) -> tuple[str, ...]:
    """What has to be told before anything can be scored."""
    needs = [] if scorer is not None else ["scorer"]
    needs += [] if scenario is not None else ["scenario.name"]
    needs += [] if state.turn is not None and state.turn.round is not None else ["turn.round"]
    if scenario is not None and scenario.needed is not None and not _things(state, scenario):
        needs.append("objectives" if scenario.flags else "zones")
    return tuple(needs)


def _things(state: TableState, scenario: Printed) -> tuple[str, ...]:
    if scenario.flags:
        return tuple(o.id for o in state.objectives if o.kind == "flag")
    return tuple(zone.id for zone in state.zones if zone.kind == "control")


def _scores_now(state: TableState, scenario: Printed, scorer: str) -> bool:
    """Source: Close Quarters, p. 84; Seek & Destroy, p. 87: from whose second turn on, and in the own turn only."""
    turn, first = state.turn, first_side(state)
    if turn is None or turn.round is None or turn.active not in (None, scorer):
        return False
    starts_late = not scenario.from_first and first is not None and first.id == scorer
    return turn.round >= (3 if starts_late else 2)


def _parts(table: Situation, scenario: Printed, scorer: str) -> list[tuple[str, float]]:
    """Source: Seek & Destroy, p. 87: there a flag scores once for each player."""
    told = table.state.scenario
    scored = told.scored if told is not None and scenario.once else ()
    things = (id_ for id_ in _things(table.state, scenario) if id_ not in scored)
    friends = friends_of(table.state, scorer)
    return [(id_, 1.0) for id_ in things if controller_of(table, id_) in friends]
