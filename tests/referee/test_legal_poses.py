"""Every pose that a rule emits is one in which a base may stand, whatever kind of question emits it."""

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from shapely import box
from shapely.affinity import rotate, translate
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.referee.editions.warhammer_9 import tables as ranked
from tests.referee.tables import mini

SIDE_MM, TOUCH_MM = 700.0, 0.6
TABLES, AT_ONCE = 2000, 20
FIRST_TABLES = [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(AT_ONCE, TABLES, AT_ONCE))]
ROUND_BOOKS = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
ABILITIES = ("incorporeal", "flight", "pathfinder", "cavalry", "light-cavalry")
KINDS = (
    {"kind": "move", "mover": "a", "heading_deg": 0.0, "distance_in": 5},
    {"kind": "move", "mover": "a", "heading_deg": 0.0, "distance_in": 5, "manner": "run"},
    {"kind": "charge", "attacker": "a", "target": "b"},
    {"kind": "charge", "attacker": "a", "target": "b", "heading_deg": 0.0},
    {"kind": "slam", "attacker": "a", "target": "b", "dice": {"slam": 4}},
    {"kind": "trample", "attacker": "a", "heading_deg": 0.0},
    {"kind": "toward-away", "mover": "a", "distance_in": 5, "restrictions": [{"way": "directly-away", "of": "b"}]},
    {"kind": "toward-away", "mover": "a", "distance_in": 7, "restrictions": [{"way": "directly-toward", "of": "b"}]},
    {"kind": "cross-obstacle", "mover": "a", "feature": "t0", "heading_deg": 0.0, "distance_in": 30},
    {"kind": "cross-obstacle", "mover": "a", "feature": "F", "heading_deg": 0.0, "distance_in": 30},
    {"kind": "climb", "mover": "a", "feature": "t1", "distance_in": 30},
)
FEATURES = {"cross-obstacle", "climb"}
SOLID = {"wall", "obstruction", "impassable"}
RANKED_KINDS = (
    *({"kind": "move", "steps": [{"do": do, "by_in": 3}]} for do in ("forward", "backward", "left")),
    {"kind": "move", "steps": [{"do": "forward", "by_in": 7}], "manner": "march"},
    {"kind": "move", "steps": [{"do": "wheel-left", "by_deg": 40}]},
    {"kind": "wheel", "way": "right", "by_deg": 30},
    {"kind": "reform", "files": 5, "facing_deg": 20},
    {"kind": "charge", "dice": {"charge": [5, 6]}},
)


def round_table(seed: int, edition: str) -> TableState:
    """Five bases, a flag and two pieces of terrain, crowded and near the edges; the first two look at one another."""
    r = random.Random(seed)
    bases: list[tuple[float, float, float]] = []
    while len(bases) < 5:
        x, y, mm = r.uniform(30, SIDE_MM - 30), r.uniform(30, SIDE_MM - 30), r.choice((30, 40, 50))
        if all(math.dist((x, y), other[:2]) > (mm + other[2]) / 2 + 1 for other in bases):
            bases.append((x, y, mm))
    kind = r.choice(("warjack", "warbeast", "solo"))
    ability = r.sample(ABILITIES, r.randint(0, 1))
    card = {"spd_in": 6, "strength": 9, "melee": [{"name": "Fist", "reach_in": r.choice((0.5, 2))}]}
    minis = [
        mini(
            "abcde"[k], x, y, r.uniform(0, 360), mm=mm, side=("red", "blue")[k % 2], type=kind, profile=card,
            abilities=ability if k == 0 else ["incorporeal"] * (r.random() < 0.2),
        )
        for k, (x, y, mm) in enumerate(bases)
    ]  # fmt: skip
    flag = {"id": "F", "kind": "flag", "at_mm": [r.uniform(100, 600), r.uniform(100, 600)], "diameter_mm": 40}
    return TableState.model_validate(
        {
            "edition": edition, "table": {"width_mm": SIDE_MM, "depth_mm": SIDE_MM}, "miniatures": minis,
            "objectives": [flag], "house_rules": {} if edition == "warmachine-prime" else {"measure-policy": "allow"},
            "turn": {"round": 2, "active": "red", "phase": "activation", "activating": "a"},
            "terrain": [_piece(r, k) for k in range(2)],
        }
    )  # fmt: skip


def _piece(r: random.Random, k: int) -> dict[str, Any]:
    x, y, w, h = r.uniform(0, 600), r.uniform(0, 600), r.uniform(10, 120), r.uniform(10, 120)
    kind = r.choice(("forest", "wall", "obstruction", "rubble", "impassable", "terraced-obstruction", "platform"))
    return {"id": f"t{k}", "kind": kind, "polygon_mm": [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]}


def faults_of_bases(state: TableState, verdict: Verdict) -> Iterator[str]:
    """What is wrong with the mover's base where it ends: off the table, upon a base or upon a flag."""
    poses: Any = verdict.value.get("poses", {})
    if "a" not in poses or not (verdict.answer == "yes" or verdict.status == "measured"):
        return
    place, bases = poses["a"]["at_mm"], {m.id: m for m in state.miniatures}
    reach = bases["a"].base.diameter_mm / 2  # type: ignore[union-attr]
    if min(*place, SIDE_MM - place[0], SIDE_MM - place[1]) < reach - TOUCH_MM:
        yield "off the table"
    for id_, other in bases.items():
        near = math.dist(place, other.at_mm) - reach - other.base.diameter_mm / 2  # type: ignore[union-attr]
        began = math.dist(bases["a"].at_mm, other.at_mm)
        if id_ != "a" and near < -TOUCH_MM and math.dist(place, bases["a"].at_mm) > 1e-6 and began > 0:
            yield f"upon {id_} by {-near:.1f}"
    for piece in state.terrain:
        rock = Polygon(piece.polygon_mm or ())
        began_in = rock.distance(Point(bases["a"].at_mm)) < reach
        if piece.kind in SOLID and not began_in and rock.distance(Point(place)) < reach - TOUCH_MM:
            yield f"in {piece.id}"
    flag = state.objectives[0]
    assert flag.at_mm is not None
    began_on = math.dist(bases["a"].at_mm, flag.at_mm) < reach + 20
    if math.dist(place, flag.at_mm) < reach + 20 - TOUCH_MM and not began_on:
        yield "upon the flag"


@pytest.mark.parametrize("first", FIRST_TABLES)
@pytest.mark.parametrize("edition", ROUND_BOOKS)
def test_no_base_ends_off_the_table_or_upon_anything(edition: str, first: int) -> None:
    faults = []
    for seed in range(first, first + AT_ONCE):
        state = round_table(seed, edition)
        for asked in questions_of(state, seed):
            verdict = ask(state, parse_query(asked))
            found = [*faults_of_bases(state, verdict), *_judged_otherwise(state, verdict, str(asked["kind"]))]
            faults += [f"{seed} {asked}: {what}" for what in found]

    assert faults == []


def questions_of(state: TableState, seed: int) -> Iterator[dict[str, Any]]:
    """The kinds of question with their headings: at b or at a feature, or a little beside b."""
    if state.edition == "warhammer-9":
        who = {"reform": {"unit": "U0"}, "charge": {"attacker": "U0", "target": "U1"}}
        yield from (query | who.get(str(query["kind"]), {"mover": "U0"}) for query in RANKED_KINDS)
        return
    (x, y), (to_x, to_y) = (m.at_mm for m in state.miniatures[:2])
    at_b = math.degrees(math.atan2(to_y - y, to_x - x)) + seed % 3 * 10 - 10
    for query in KINDS:
        if query["kind"] != "climb" or state.edition != "warmachine-mk1":
            aim = _bearing_to(state, str(query["feature"])) if query["kind"] in FEATURES else at_b
            yield query | ({"heading_deg": aim} if "heading_deg" in query else {})


def _bearing_to(state: TableState, feature: str) -> float:
    """The heading from the mover to the middle of a thing."""
    corners = next((t.polygon_mm for t in state.terrain if t.id == feature), None) or (state.objectives[0].at_mm,)
    (x, y), n = state.miniatures[0].at_mm, len(corners)
    return math.degrees(math.atan2(sum(p[1] for p in corners) / n - y, sum(p[0] for p in corners) / n - x))  # type: ignore[index]


def _judged_otherwise(state: TableState, verdict: Verdict, kind: str) -> Iterator[str]:
    """Where `placement` refuses the pose that another kind emits: what one allows the other does too."""
    poses: Any = verdict.value.get("poses", {})
    began = state.miniatures[0].at_mm
    if kind == "climb" or verdict.answer != "yes" or "a" not in poses or poses["a"]["at_mm"] == [*began]:
        return  # who is upon a feature
    at = {"mover": "a", "to": {"at_mm": poses["a"]["at_mm"]}, "manner": "moved"}
    judged = ask(state, parse_query({"kind": "placement", **at}))
    before = ask(state, parse_query({"kind": "placement", **at, "to": {"at_mm": began}}))
    if (
        judged.answer == "no"
        and judged.margin_mm is not None
        and judged.margin_mm < -TOUCH_MM
        and before.answer != "no"
    ):
        yield f"placed {judged.margin_mm:.1f}"


def ranked_table(seed: int) -> TableState:
    """Four blocks near the edges of a small table, and two pieces of terrain."""
    r = random.Random(seed)
    units = [
        ranked.block(
            f"U{k}", ("red", "blue")[k % 2], (r.uniform(60, SIDE_MM - 60), r.uniform(60, SIDE_MM - 60)),
            r.choice((0, 90, 180, 270)) + r.uniform(-20, 20), 5, r.choice((5, 10)),
        )
        for k in range(4)
    ]  # fmt: skip
    terrain = [_piece(r, k) | {"kind": r.choice(("impassable", "forest", "river"))} for k in range(2)]
    size = {"width_mm": SIDE_MM, "depth_mm": SIDE_MM}
    turn = {"round": 2, "active": "red", "phase": "movement"}
    return ranked.table(units, terrain=terrain, turn=turn, table=size)


def bodies_of(state: TableState, poses: Any, unit: str) -> list[BaseGeometry]:
    """The bases of a unit, those of it that poses name where they end."""
    shapes = []
    for miniature in state.miniatures:
        if miniature.unit != unit:
            continue
        pose = poses.get(miniature.id, {"at_mm": miniature.at_mm, "facing_deg": miniature.facing_deg})
        wide, deep = miniature.base.width_mm, miniature.base.depth_mm  # type: ignore[union-attr]
        outline = rotate(box(-deep / 2, -wide / 2, deep / 2, wide / 2), pose["facing_deg"], origin=(0, 0))
        shapes.append(translate(outline, *pose["at_mm"]))
    return shapes


def faults_of_blocks(state: TableState, verdict: Verdict, mover: str, *, charging: bool) -> Iterator[str]:
    """What is wrong with a regiment where it ends: off the table, in impassable ground, or too near to others."""
    poses: Any = verdict.value.get("poses", {})
    if verdict.answer != "yes" or not poses:
        return
    mine, table = bodies_of(state, poses, mover), box(0, 0, SIDE_MM, SIDE_MM).buffer(TOUCH_MM)
    if not all(table.contains(body) for body in mine):
        yield "off the table"
    for piece in state.terrain:
        rock = Polygon(piece.polygon_mm or ())
        if piece.kind == "impassable" and any(body.intersection(rock).area > 5 for body in mine):
            yield f"in {piece.id}"
    inch = 25.4 - TOUCH_MM
    for unit in state.units:
        if unit.id == mover:
            continue
        theirs = bodies_of(state, poses, unit.id)
        if any(a.intersection(b).area > 5 for a in mine for b in theirs):
            yield f"upon {unit.id}"
        elif not charging and min(a.distance(b) for a in mine for b in theirs) < inch:
            yield f"within an inch of {unit.id}"


@pytest.mark.parametrize("first", FIRST_TABLES)
def test_no_regiment_ends_off_the_table_or_too_near_to_anything(first: int) -> None:
    faults = []
    for seed in range(first, first + AT_ONCE):
        state = ranked_table(seed)
        for asked in questions_of(state, seed):
            charging = asked["kind"] == "charge"
            verdict = ask(state, parse_query(asked))
            faults += [f"{seed} {asked}: {what}" for what in faults_of_blocks(state, verdict, "U0", charging=charging)]

    assert faults == []


@pytest.mark.parametrize(("seed", "heading_deg"), [(230, 62.5), (282, -70.1)])
def test_a_flyer_ends_no_trample_upon_a_wall(seed: int, heading_deg: float) -> None:
    state = round_table(seed, "warmachine-prime")

    verdict = ask(state, parse_query({"kind": "trample", "attacker": "a", "heading_deg": heading_deg}))
    assert [*faults_of_bases(state, verdict)] == []


def test_the_audit_itself_finds_a_base_upon_another() -> None:
    state = round_table(1, "warmachine-prime")
    on_b = Verdict.model_validate(
        ask(state, parse_query(KINDS[0])).model_dump()
        | {"answer": "yes", "value": {"poses": {"a": {"at_mm": list(state.miniatures[1].at_mm)}}}}
    )

    assert any(fault.startswith("upon b") for fault in faults_of_bases(state, on_b))
