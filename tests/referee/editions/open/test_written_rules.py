"""Written rules: the language measures by the geometry of the built-in questions, with margin, doubt and exact dice."""

import math
import random
import re
from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from models.written_book import BookInPlay, WrittenBook
from referee import ask
from referee.editions.open.action import nearest_end
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, disc
from tests.referee.editions.open.oracle import random_state
from tests.referee.tables import box, mini, table

INCH = 25.4


def field(rules: dict[str, Any], *miniatures: dict[str, Any], **more: Any) -> TableState:
    """A table judged by a book of these rules."""
    lookups = {"hits": {"1-3": "miss", "4+": "hit"}, "armour": {"trooper": 5, "solo": 3}}
    book = WrittenBook(name="Steel", version="1", rules=rules, ranges={"walk": 6}, lookups=lookups)
    return table(*miniatures, edition="open", **more).in_edition("open", BookInPlay(sha256="0" * 64, rules=book))


def say(state: TableState, rule: str = "asked", **about: Any) -> Verdict:
    return ask(state, parse_query({"kind": "rule", "rule": rule, **about}))


def _named(expression: str) -> list[str]:
    """Those of a, b and c that an expression is about."""
    words = set(re.findall(r"[a-z_]+", expression))
    return [name for name in "abc" if name in words or (name == "a" and "enemies" in words)]


def pair(expression: Any, x: float = 400, *others: dict[str, Any], **more: Any) -> TableState:
    """a of 30 mm at 300, 300 looks along +x; b stands 70 mm off, c 100 mm farther up."""
    a, b = mini("a", 300, 300, side="red"), mini("b", x, 300, 180, side="blue")
    return field({"asked": expression}, a, b, mini("c", 300, 430, side="blue"), *others, **more)


@pytest.mark.parametrize(
    ("expression", "answer", "margin_mm"),
    [
        ("distance(a, b) <= 3", "yes", 3 * INCH - 70),  # 76.2 less 70
        ("distance(a, b) < 70 mm", "no", 0.0),
        ("distance(a, b) <= 70 mm", "yes", 0.0),
        ("not distance(a, b) <= 3", "no", 70 - 3 * INCH),
        ("distance(a, b) <= 3 and distance(a, c) <= 3", "no", 3 * INCH - 100),
        ("distance(a, b) <= 3 or distance(a, c) <= 3", "yes", 3 * INCH - 70),
        ("middle_distance(a, b) <= 4", "yes", 4 * INCH - 100),
        ("distance(a, b) * 2 <= 6", "yes", 6 * INCH - 140),
        ("any(distance(a, x) <= 3 for x in enemies)", "yes", 3 * INCH - 70),
        ("all(distance(a, x) <= 3 for x in enemies)", "no", 3 * INCH - 100),
        ("count(x in enemies where distance(a, x) <= 4) >= 2", "yes", 4 * INCH - 100),
        ("count(x in enemies where distance(a, x) <= 4) <= 1", "no", 100 - 4 * INCH),
        ("min(distance(a, x) for x in enemies) >= 2", "yes", 70 - 2 * INCH),
        ("max(distance(a, b), distance(a, c)) <= 4", "yes", 4 * INCH - 100),
        ("distance(a, b) < min(distance(a, x) for x in enemies where x != b)", "yes", 30.0),
        ("if distance(a, c) > 3 then distance(a, b) <= 3 else distance(a, b) <= 1", "yes", 3 * INCH - 70),
        ("x_of(b) - x_of(a) >= 90 mm", "yes", 10.0),
        ("distance(a, point(300 mm, 500 mm)) <= 200 mm", "yes", 15.0),
        ("way(a, b) <= 3", "yes", 3 * INCH - 70),
        ("way(a, b, 1) <= 2", "yes", 3 * INCH - 70),  # an inch short of touching
        ("way(a, point(500 mm, 300 mm)) <= 7", "no", 7 * INCH - 185),
        ("way(a, those(x in miniatures where x_of(x) > 350 mm)) <= 3", "yes", 3 * INCH - 70),
        ("distance(a, edge(\"near\")) >= 10", "yes", 285 - 254.0),
    ],
)  # fmt: skip
def test_a_condition_has_the_margin_of_what_decides(expression: str, answer: str, margin_mm: float) -> None:
    about = {name: name for name in _named(expression)} or {"a": "a"}
    verdict = say(pair(expression), **about)

    assert verdict.status == "decided", verdict.advice
    assert (verdict.answer, verdict.margin_mm) == (answer, pytest.approx(margin_mm, abs=1e-6))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("count(x in enemies)", 2),
        ("count(x in enemies where distance(a, x) <= 3)", 1),
        ("sum(if distance(a, x) <= 3 then 5 else 2 for x in enemies)", 7),
        ('look_up("armour", "trooper") + 1', 6),
        ("whole(distance(a, b) / 1 in)", 2),
        ("whole_up(inches(distance(a, b)))", 3),
        ("chance(2D6 >= 7)", 21 / 36),
        ("chance(best(3D6, 2) == 12)", 16 / 216),
        ('chance(look_up("hits", D6) == "hit")', 0.5),
        ("mean(2D6) + lowest(D6)", 8),
        ("hidden_share(a, b)", 0),
    ],
)
def test_a_number_is_what_its_parts_make(expression: str, value: float) -> None:
    verdict = say(pair(expression), **{name: name for name in _named(expression)})

    assert verdict.value["number"] == pytest.approx(value)


def test_a_charge_by_dice_has_its_exact_chance_and_none_where_the_highest_roll_falls_short() -> None:
    charge = "sees(a, b) and walk + 2D6 >= distance(a, b)"
    near, far = say(pair(charge, 300 + 30 + 13 * INCH), a="a", b="b"), say(pair(charge, 800), a="a", b="b")

    assert near.value["chance"] == {"needs": 7, "exact": "7/12", "p": pytest.approx(21 / 36)}  # 13 less 6: a seven
    assert near.margin_mm == pytest.approx(5 * INCH)  # by the highest roll
    assert (far.answer, far.margin_mm) == ("no", pytest.approx(18 * INCH - 470))


def test_the_least_lists_everybody_by_how_much_each_is_ahead_and_how_surely() -> None:
    sure = {"sigma": 1.0}
    stones = [mini(f"s{k}", 500, 500 + d, side=side, **sure) for k, (d, side) in enumerate(
        ((100, "red"), (-101, "blue"), (200, "red")))]  # fmt: skip
    state = field({"asked": {"of": {"tee": "place"}, "gives": "least(x in miniatures by distance(x, tee))"}}, *stones)
    verdict = say(state, a=[500, 500])

    assert verdict.value["thing"] == "s0"
    assert [(m.id, m.answer, m.margin_mm) for m in verdict.members[:2]] == [
        ("s0", "too-close", pytest.approx(1.0)),
        ("s1", "too-close", pytest.approx(-1.0)),
    ]
    assert verdict.members[0].probability == pytest.approx(0.76, abs=0.01)  # 1 mm of 1.41 mm


def test_equal_ones_are_ties() -> None:
    state = field({"asked": "least(x in miniatures by distance(x, point(500 mm, 500 mm)))"},
                  mini("s", 400, 500), mini("t", 600, 500))  # fmt: skip

    assert say(state).value["ties"] == ["s", "t"]


def test_what_counts_near_its_limit_is_told_with_the_other_number_and_how_probable_it_is() -> None:
    sure = {"sigma": 1.0}
    both = mini("a", 300, 300, side="red", **sure), mini("b", 429, 300, side="blue", **sure)
    near = field({"asked": "count(x in enemies where distance(a, x) <= 100 mm)"}, *both)
    verdict = say(near, a="a")

    assert verdict.value["number"] == 1
    assert [(m.id, m.answer) for m in verdict.members] == [("b", "too-close")]
    assert {outcome.value["number"] for outcome in verdict.outcomes} == {0, 1}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("expression", "query"),
    [
        ("within(a, b, 6)", {"kind": "within", "a": "m0", "b": "m1", "range_in": 6}),
        ("sees(a, b)", {"kind": "los", "viewer": "m0", "target": "m1"}),
        ("in_arc(a, b)", {"kind": "in-front-arc", "viewer": "m0", "target": "m1"}),
        ("covered(a, b)", {"kind": "cover", "attacker": "m0", "target": "m1"}),
    ],
)
def test_a_rule_of_one_function_answers_as_the_built_in_question(
    seed: int, expression: str, query: dict[str, Any]
) -> None:
    state = random_state(seed)
    book = WrittenBook(name="Steel", version="1", rules={"asked": expression})
    state = state.in_edition("open", BookInPlay(sha256="0" * 64, rules=book))
    by_rule, built_in = say(state, a="m0", b="m1"), ask(state, parse_query(query))

    assert (by_rule.status, by_rule.answer, by_rule.margin_mm) == (built_in.status, built_in.answer, built_in.margin_mm)
    assert by_rule.probability == built_in.probability


def test_a_book_may_engage_and_keep_together_by_rules_of_its_own() -> None:
    rules = {
        "engaged": "distance(a, b) <= 3 and height_gap(a, b) <= 1",
        "near": "count(x in unit(a) where x != a and distance(a, x) <= 2)",
        "coherent": "near(a) >= (if count(x in unit(a)) >= 3 then 2 else 1)",
    }
    unit = [mini(f"u{k}", 300 + 70 * k, 600, unit="u", side="red") for k in range(3)]
    state = field(
        rules, mini("a", 300, 300, side="red"), mini("b", 400, 300, 180, side="blue"), *unit, units=[{"id": "u"}]
    )
    engaged = ask(state, parse_query({"kind": "engaged", "attacker": "a", "target": "b"}))
    together = ask(state, parse_query({"kind": "formation", "unit": "u"}))

    assert (engaged.answer, engaged.because[0].source.section) == ("yes", "engaged")
    assert together.value["out"] == ["u0", "u2"]


def test_arcs_of_a_flank_start_at_the_corners_of_the_side() -> None:
    base = {"shape": "rect", "width_mm": 100, "depth_mm": 40}
    regiment = mini("r", 300, 300, 0, side="red") | {"base": base}
    rules = {"left": "in_arc(a, b, 90, 90)", "front": "in_arc(a, b, 90)"}
    state = field(rules, regiment, mini("b", 310, 420, side="blue"), house_rules={"open-arc-from": "corners"})

    assert (say(state, "left", a="r", b="b").answer, say(state, "front", a="r", b="b").answer) == ("yes", "no")


def test_what_hides_half_of_a_base_is_a_share_with_a_margin_of_its_width() -> None:
    wall = box("w", "wall", 340, 285, 350, 300)  # hides what lies below the line of the middles
    verdict = say(pair("hidden_share(a, b) >= 50 %", terrain=[wall]), a="a", b="b")

    assert verdict.margin_mm == pytest.approx(0.0, abs=0.2)


@pytest.mark.parametrize(
    ("rule", "about", "says"),
    [
        ("gone", {"a": "a"}, "no rule 'gone'"),
        ("asked", {"a": "a"}, "is about 2"),
        ("asked", {"a": "a", "b": [1, 1]}, "takes a miniature"),
    ],
)
def test_what_a_rule_is_not_about_is_refused(rule: str, about: dict[str, Any], says: str) -> None:
    verdict = say(pair("sees(a, b)"), rule, **about)

    assert verdict.status == "refused"
    assert says in (verdict.advice or "")


def test_what_the_state_does_not_tell_is_asked_for() -> None:
    assert say(pair("speed(a) >= 5"), a="a").needs == ("profile.spd_in of a",)
    assert say(pair('distance(a, thing("tee")) <= 1'), a="a").needs == ("a thing with the id 'tee'",)


def test_a_rule_that_goes_over_too_much_says_so() -> None:
    crowd = [mini(f"x{k}", 100 + 8 * k, 100, side="blue") for k in range(60)]
    rule = "count(x in miniatures where any(any(distance(y, z) < 0 for z in miniatures) for y in miniatures))"

    assert "more than" in (say(pair(rule, 400, *crowd)).advice or "")


def test_a_way_to_several_ends_where_all_are_near_and_nowhere_nearer() -> None:
    """b and c lie 50 to either side: within an inch of both is where circles of 55.4 cross, 23.86 before them."""
    foes = mini("b", 400, 350, side="blue"), mini("c", 400, 250, side="blue")
    state = field({"asked": "way(a, enemies, 1)", "touch": "way(a, enemies) <= 20"}, mini("a", 300, 300), *foes)

    assert say(state, a="a").measured[0].value_mm == pytest.approx(100 - 23.86, abs=0.01)
    assert say(state, "touch", a="a").answer == "no"  # nobody touches two that stand 70 apart


@pytest.mark.parametrize("seed", range(8))
def test_no_shorter_way_leads_to_all_of_several(seed: int) -> None:
    r = random.Random(seed)
    at = [(r.uniform(300, 500), r.uniform(300, 500)) for _ in range(3)]
    areas = [Area((disc(place, r.uniform(10, 40)),)) for place in at]
    shift = nearest_end(Area((disc((0.0, 0.0), 15.0),)), areas, 80.0)
    if shift is None:
        assert max(math.dist(p, q) for p in at for q in at) > 2 * 80 + 2 * 10
        return

    for k in range(720):
        short, angle = math.hypot(*shift) - 0.05, k * math.tau / 720
        moved = Area((disc((short * math.cos(angle), short * math.sin(angle)), 15.0),))
        assert any(area_gap(moved, area).mm > 80.0 for area in areas)


def test_a_way_is_barred_by_a_building_and_costs_twice_in_rough_ground() -> None:
    rules = {"free": "free_way(a, b)", "length": "way(a, b)"}
    a, b = mini("a", 300, 300, side="red"), mini("b", 400, 300, side="blue")
    barred = field(rules, a, b, terrain=[box("w", "building", 340, 200, 360, 400)])
    rough = field(rules, a, b, terrain=[box("r", "rough", 340, 200, 360, 400)])

    assert say(barred, "free", a="a", b="b").answer == "no"
    assert say(rough, "free", a="a", b="b").answer == "yes"
    cost_mm = say(rough, "length", a="a", b="b").measured[0].value_mm
    assert cost_mm == pytest.approx(70 + 45)  # its rim goes from 315 to 385


def test_what_a_card_and_the_turn_tell_may_be_asked() -> None:
    rules = {"tough": 'stat(a, "wounds") >= 2', "still": "moved(a) <= 1", "open": 'scenario() == "Relics"'}
    me = mini("a", 300, 300, profile={"wounds": 3}, this_turn={"path_mm": [[250, 300], [300, 300]]})
    state = field(rules, me, mini("b", 400, 300), scenario={"name": "Relics"})

    assert [say(state, rule, a="a").answer for rule in ("tough", "still")] == ["yes", "no"]
    assert say(state, "still", a="a").margin_mm == pytest.approx(INCH - 50)
    assert say(state, "open").answer == "yes"
    assert say(state, "tough", a="b").needs == ("profile.wounds of b",)


def test_cover_may_hang_on_what_kind_of_piece_hides_how_much() -> None:
    rule = 'hidden_share(a, b, those(x in terrain where kind(x) == "wall")) >= 25 %'
    kinds = {
        kind: say(pair(rule, terrain=[box("w", kind, 340, 280, 350, 320)]), a="a", b="b") for kind in ("wall", "hedge")
    }

    assert (kinds["wall"].answer, kinds["hedge"].answer) == ("yes", "no")


def test_a_game_that_was_kept_with_named_actions_is_read_with_the_rules_that_they_are() -> None:
    old = {"name": "Steel", "version": "1", "ranges": {"walk": 6},
           "actions": {"charge": {"range": "walk", "dice": "2D6", "in_front": True},
                       "run": {"ends": "in-range", "within": 1}},
           "sheet": [{"ask": "action", "action": "charge", "title": "A charges B"}]}  # fmt: skip
    book = BookInPlay.model_validate({"sha256": "0" * 64, "rules": old})

    assert book.rules.rules == {
        "charge": "in_arc(a, b) and free_way(a, b) and way(a, b) <= walk + 2D6",
        "run": "free_way(a, b, 1 in) and way(a, b, 1 in) <= speed(a)",
    }
    assert (book.rules.sheet[0].ask, book.rules.sheet[0].rule) == ("rule", "charge")
