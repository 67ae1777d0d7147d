"""Line of sight: whether a line between two volumes is clear, and which models intervene."""

import math
from dataclasses import dataclass
from functools import partial

from models.queries import Intervening, Los
from models.verdict import CAPPED_MM, Reason, Witness
from referee.cached_attribute import cached_attribute
from referee.editions.warmachine.line_of_sight.blockers import (
    INERT,
    LINE,
    VOLUME,
    explain_sight,
    find_in_the_way,
    sort_blockers,
)
from referee.editions.warmachine.line_of_sight.corridor import InTheWay, behind_form, sight_form
from referee.editions.warmachine.line_of_sight.terrain import tops_mm
from referee.editions.warmachine.miniatures.arcs import arc_depth_mm
from referee.editions.warmachine.miniatures.distances import hinges
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.corridor import depth_in_corridor
from referee.geometry.shapes import disc
from referee.line_of_sight import End, Lane, height_to_spare_mm, lane_between, least_length_mm
from referee.margins.front_arc import arc_edge, direction, dot
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import describe_arc_depth, format_length, format_names, name_of, with_effect
from referee.rules.rule_result import RuleResult, Value
from referee.rules.switches import EXACT_MM, is_at_least

_BETWEEN = because("Line of Sight & Targeting", 36, "It intervenes when some line from base to base crosses its base.")
_SIZE = because("Line of Sight & Targeting", 36, "Only a base at least as large as the target's closes the line.")


def line_of_sight(table: ExactTable, query: Los) -> RuleResult:
    """Line of sight: whether one line is clear; the margin is the plan clearance, or the depth in the arc where that is
    smaller.

    Source: Line of Sight & Targeting, p. 36-39.
    """
    asked = ("los", query.viewer, query.target, query.ignoring, query.purpose)
    return table.evaluate_memoized(asked, lambda perturbed: _answer_line(perturbed, query))


def _answer_line(table: ExactTable, query: Los) -> RuleResult:
    if query.viewer == query.target:
        return RuleResult(
            margin_mm=CAPPED_MM, value={"decided_by": "lane"}, because=(LINE,), depends_on_place=(query.viewer,)
        )
    if "inert" in table.miniature(query.viewer).status:
        return RuleResult(
            margin_mm=-CAPPED_MM, value={"decided_by": "arc"}, because=(INERT,), depends_on_place=(query.viewer,)
        )
    depth = arc_depth_mm(table, query.viewer, query.target)
    if depth < 0 and table.margins_only:  # what stands between is merely told
        return RuleResult(
            margin_mm=depth,
            lengths_mm={"depth": depth},
            depends_on_place=_ids_of(query),
            depends_on_facing=(query.viewer,),
        )
    flies = query.purpose == "charge" and table.miniature(query.viewer).has("flight")
    blockers = find_in_the_way(
        table, query.viewer, query.target, query.ignoring, past_models=flies, purpose=query.purpose
    )
    if depth < 0:
        return _answer_behind(table, query, depth, blockers)
    return _SightLine(table, query, depth, blockers, *_ends_of(table, query)).answer()


def find_lane(table: ExactTable, query: Los, blockers: InTheWay, ends: tuple[End, End], *, most_mm: float) -> Lane:
    """The widest lane among all: what is farther from the corridor than the lane is wide cannot narrow it.

    Lanes wider than `most_mm` are of no interest. Source: Line of Sight & Targeting, p. 36: any one line is enough.
    """
    lane = lane_between(*ends, tuple(blockers.obstacles), tuple(blockers.woods))
    while blockers.reach_mm < (wanted := min(lane.margin_mm, most_mm, CAPPED_MM)):
        reach = min(wanted, max(60.0, 3 * blockers.reach_mm))
        if sort_blockers(table, query.viewer, query.target, query.ignoring, blockers, up_to_mm=reach):
            lane = lane_between(*ends, tuple(blockers.obstacles), tuple(blockers.woods))
    return lane


def _answer_behind(table: ExactTable, query: Los, depth: float, blockers: InTheWay) -> RuleResult:
    centre, facing = table.centre(query.viewer), table.facing_rad(query.viewer)
    return RuleResult(
        margin_mm=depth,
        value={"decided_by": "arc", "ignored": [{"id": id_, "why": why} for id_, why in blockers.ignored.items()]},
        lengths_mm={"depth": depth},
        witness=(
            arc_edge(query.viewer, centre, facing, math.dist(centre, table.centre(query.target))),
            Witness(type="segment", role="blocked", points_mm=(centre, table.centre(query.target)), of=_ids_of(query)),
        ),
        because=(with_effect(table, LINE, describe_arc_depth(table, query.viewer, query.target, depth)),),
        depends_on_place=_ids_of(query),
        depends_on_facing=(query.viewer,),
        form=partial(behind_form, table, query),
    )


def _ends_of(table: ExactTable, query: Los) -> tuple[End, End]:
    viewer, target = table.base(query.viewer), table.base(query.target)
    if table.reading("los-start") == "centre":
        viewer = disc(viewer.centre, 0.0)
    if table.miniature(query.viewer).front_arc_deg == 360:
        return End(viewer), End(target)
    ahead = direction(table.facing_rad(query.viewer))
    line = dot(table.centre(query.viewer), ahead)
    front_only = table.reading("los-start") == "front-half"
    return End(viewer, ahead, line) if front_only else End(viewer), End(target, ahead, line)


def _ids_of(query: Los) -> tuple[str, str]:
    return (query.viewer, query.target)


@dataclass(frozen=True)
class _SightLine:
    """One question on its way to a result."""

    table: ExactTable
    query: Los
    depth_mm: float
    blockers: InTheWay
    start: End
    stop: End

    def answer(self) -> RuleResult:
        lane = self._lane()
        self._compare_tops()
        margin = min(lane.margin_mm, self.depth_mm, CAPPED_MM)
        if self.blockers.needs and lane.margin_mm <= 0 and not self._is_closed_anyway():
            return self._answer_unknown(lane)
        zero_met = self._is_zero_met(lane)
        blocked = lane.margin_mm < -EXACT_MM or (lane.margin_mm <= EXACT_MM and not zero_met)
        value = self._value(lane)
        nearly = (id_ for id_, slack in lane.slack_mm.items() if slack <= lane.margin_mm + 5.0)
        return RuleResult(
            margin_mm=margin,
            zero_is_met=zero_met,
            value=value,
            lengths_mm={"depth": self.depth_mm} if self.depth_mm < CAPPED_MM else {},
            witness=self._witness(lane, "blocked" if blocked else "clear"),
            blockers=tuple(id_ for id_, slack in lane.slack_mm.items() if slack <= EXACT_MM) if blocked else (),
            because=() if self.table.margins_only else self._because(lane, value),
            readings=self._readings(),
            doubtful=self._doubtful(lane, margin),
            depends_on_place=tuple(dict.fromkeys((*_ids_of(self.query), *nearly, *self._uncertain_ignored()))),
            depends_on_facing=(self.query.viewer,),
            form=partial(sight_form, self.table, self.query, self.blockers, lane, partial(_ends_of, query=self.query)),
        )

    def _compare_tops(self) -> None:
        """Whether a line passes over every top: what stands in the way ends the line as soon as none does."""
        spare = self._spare_mm
        if spare is not None:
            on = (
                *_ids_of(self.query),
                *(m for id_ in sorted(self.blockers.solid_ids) for m in self.table.movers_of(id_)),
            )
            is_at_least(spare, 0.0, "sees over every top to", on, is_noted=True)

    @cached_attribute
    def _spare_mm(self) -> float | None:
        """How far the highest line passes above all solids in the way."""
        if not self.blockers.solids:
            return None
        tops = tops_mm(self.table, *_ids_of(self.query))
        return height_to_spare_mm(self.start, self.stop, tops, tuple(self.blockers.solids))

    def _because(self, lane: Lane, value: Value) -> tuple[Reason, ...]:
        return explain_sight(self.table, self.query, self.depth_mm, self.blockers, lane, value)

    def _lane(self) -> Lane:
        return find_lane(self.table, self.query, self.blockers, (self.start, self.stop), most_mm=self.depth_mm)

    def _uncertain_ignored(self) -> list[str]:
        """What is ignored because of where it lies: moved a little, it might count."""
        by_place = {"stealth", "amphibious", "trench", "lower", "viewer-inside", "target-inside"}
        return [id_ for id_, why in self.blockers.ignored.items() if why in by_place]

    def _is_zero_met(self, lane: Lane) -> bool:
        """A line that grazes is blocked by default; the full depth of a forest, or just touching the arc, is met."""
        woods = {wood.id for wood in self.blockers.woods}
        at_lane = lane.margin_mm <= self.depth_mm and not (lane.held_by and woods.issuperset(lane.held_by))
        return self.table.reading("los-touch") == "clear" if at_lane else True

    def _is_closed_anyway(self) -> bool:
        """Whether the line stays closed when solids of unknown height are left out."""
        unknown = {need.rsplit(" ", 1)[1] for need in self.blockers.needs}
        known = tuple(o for o in self.blockers.obstacles if o.id not in unknown)
        return lane_between(self.start, self.stop, known, tuple(self.blockers.woods)).margin_mm < 0

    def _answer_unknown(self, lane: Lane) -> RuleResult:
        return RuleResult(
            status="unknown",
            needs=tuple(self.blockers.needs),
            witness=self._witness(lane, "blocked"),
            because=(LINE, VOLUME),
            depends_on_place=_ids_of(self.query),
            depends_on_facing=(self.query.viewer,),
        )

    def _value(self, lane: Lane) -> Value:
        value: Value = {
            "decided_by": self._deciding_thing(lane),
            "ignored": [{"id": id_, "why": why} for id_, why in self.blockers.ignored.items()],
        }
        if self.table.margins_only:
            return value
        value["posts"] = [
            [*at, z] for at, z in zip((lane.start, lane.stop), tops_mm(self.table, *_ids_of(self.query)), strict=True)
        ]
        if lane.margin_mm <= min(self.depth_mm, CAPPED_MM):  # beyond, not all that is there was looked at
            value["lane_mm"] = lane.margin_mm
        value |= {} if self._spare_mm is None else {"wall_mm": self._spare_mm}
        lengths = [
            least_length_mm(self.start, self.stop, w) for w in self.blockers.woods if lane.slack_mm[w.id] < 150.0
        ]
        value |= {"forest_mm": max(0.0, *lengths, 0.0)} if lengths else {}
        return value

    def _deciding_thing(self, lane: Lane) -> str:
        if self.depth_mm < lane.margin_mm and self.depth_mm < CAPPED_MM:
            return "arc"
        held = set(lane.held_by)
        if held & {wood.id for wood in self.blockers.woods}:
            return "forest"
        if held & self.blockers.solid_ids:
            return "height" if lane.margin_mm <= 0 else "lane"
        if held & ({e.id for e in self.table.state.effects} | {t.id for t in self.table.state.terrain}):
            return "cloud"
        return "height" if not held and "low" in self.blockers.ignored.values() else "lane"

    def _witness(self, lane: Lane, role: str) -> tuple[Witness, ...]:
        z = tops_mm(self.table, *_ids_of(self.query))
        line = Witness.model_validate(
            {
                "type": "segment",
                "role": role,
                "points_mm": (lane.start, lane.stop),
                "z_mm": z,
                "of": _ids_of(self.query),
            }
        )
        closing = [id_ for id_, slack in lane.slack_mm.items() if slack <= EXACT_MM] if role == "blocked" else []
        outlines = tuple(_outline(self.table, id_) for id_ in closing)
        if self.query.viewer in self.table.miniatures and self.stop.normal is not None:
            reach = math.dist(lane.start, lane.stop)
            centre, facing = self.table.centre(self.query.viewer), self.table.facing_rad(self.query.viewer)
            return (line, *outlines, arc_edge(self.query.viewer, centre, facing, reach))
        return (line, *outlines)

    def _readings(self) -> tuple[str, ...]:
        keys = (
            ["los-start", "los-touch"] if self.blockers.obstacles or self.blockers.woods or self.blockers.solids else []
        )
        keys += ["los-wall"] if self.blockers.solids else []
        keys += ["forest-sum", "forest-ends"] if self.blockers.woods else []
        keys += [key for key in sorted(self.blockers.doubtful) if key not in keys]
        return tuple(keys)

    def _doubtful(self, lane: Lane, margin: float) -> tuple[str, ...]:
        """The readings under which the answer might differ."""
        keys = sorted(self.blockers.doubtful | ({"los-touch"} if abs(margin) < 1e-6 else set()))
        if lane.slack_mm and self._has_deciding_start(lane, margin):
            keys.append("los-start")
        return tuple(keys)

    def _has_deciding_start(self, lane: Lane, margin: float) -> bool:
        if self.stop.normal is None:
            return False
        behind = dot(lane.start, self.stop.normal) < self.stop.offset_mm - 1e-6
        return behind and margin >= 0 if self.start.normal is None else margin <= 0


def _outline(table: ExactTable, id_: str) -> Witness:
    area = table.area(id_)
    if area.outline:
        return Witness(type="polygon", role="blocker", points_mm=area.outline, of=(id_,))
    part = area.parts[0]
    if part.is_disc():
        return Witness(type="circle", role="blocker", centre_mm=part.points[0], radius_mm=part.radius_mm, of=(id_,))
    return Witness(type="polygon", role="blocker", points_mm=part.points, of=(id_,))


def intervening(table: ExactTable, query: Intervening) -> RuleResult:
    """Intervening model: whether the blocker's base meets the corridor between the two, and counts there.

    Touching the corridor meets it; who is looked past is in nobody's way, and `depth_mm` tells where it stands.

    Source: Line of Sight & Targeting, p. 36.
    """
    ends = table.base(query.viewer), table.base(query.target)
    depth = depth_in_corridor(*ends, table.area(query.blocker))
    terms = terms_of(table)
    why = terms.why_ignored(table, query.viewer, query.target, table.miniature(query.blocker), None)
    margin_mm, slack_mm = margins_of(depth, counts=why is None)
    middle = Witness(
        type="segment", role="path", points_mm=(ends[0].centre, ends[1].centre), of=(query.viewer, query.target)
    )
    return RuleResult(
        margin_mm=margin_mm,
        slack_mm=slack_mm,
        value={"counts": why is None, "why": why, "depth_mm": depth},
        lengths_mm={"depth": depth},
        witness=(middle,),
        blockers=(query.blocker,) if why is None and depth >= 0 else (),
        because=(
            with_effect(table, _BETWEEN, _describe_depth(table, query, depth)),
            _SIZE if why is None else terms.looked_past_reasons[why],
        ),
        readings=("los-touch",),
        depends_on_place=hinges(table, query.blocker, query.viewer, query.target),
    )


def margins_of(depth_mm: float, *, counts: bool) -> tuple[float, float | None]:
    """The margin, and what probability is taken of: who does not count is not in the way wherever it stands."""
    return (depth_mm, None) if counts else (depth_mm if depth_mm < 0 else -CAPPED_MM, -CAPPED_MM)


def _describe_depth(table: ExactTable, query: Intervening, depth_mm: float) -> str:
    blocker, ends = name_of(table, query.blocker), format_names(table, [query.viewer, query.target])
    how = f"reaches {format_length(depth_mm)} into" if depth_mm >= 0 else f"stays {format_length(-depth_mm)} out of"
    return f"{blocker} {how} the corridor between {ends}."
