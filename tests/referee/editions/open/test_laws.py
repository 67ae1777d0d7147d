"""Open edition: what must hold on every table under any settings, and brute force beside it."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models.house_rules import HOUSE_RULES, OPEN_SETTINGS, PRESETS
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict
from referee import ask
from tests.referee.editions.open.oracle import KEYS, disagreements, random_state
from tests.strategies import moved, rigid_motions, tables

PAIRS: list[dict[str, Any]] = [
    {"kind": "within", "a": "m0", "b": "m1", "range_in": 8},
    {"kind": "completely-within", "a": "m0", "b": "m1", "range_in": 8},
    {"kind": "in-front-arc", "viewer": "m0", "target": "m1"},
    {"kind": "in-back-arc", "viewer": "m0", "target": "m1"},
    {"kind": "los", "viewer": "m0", "target": "m1"},
    {"kind": "cover", "attacker": "m0", "target": "m1"},
    {"kind": "engaged", "attacker": "m0", "target": "m1"},
    {"kind": "action", "attacker": "m0", "target": "m1", "length_in": 8},
]
_SYMMETRIC_SIGHT = ("any-part", "centre-to-centre")


@st.composite
def choices(draw: st.DrawFn) -> dict[str, str]:
    """Settings chosen at random."""
    words = {key: draw(st.sampled_from(HOUSE_RULES[key].readings)) for key in (*KEYS, "open-limit")}
    return words | {"open-arc-deg": draw(st.sampled_from(("60", "90", "180", "220", "360")))}


def under(state: TableState, chosen: dict[str, str]) -> TableState:
    """The same table, played without a book."""
    return TableState.model_validate(state.model_dump(mode="json") | {"edition": "open", "house_rules": chosen})


def _amid_a_large_table(state: TableState) -> TableState:
    """The same far from every edge: an action ends on the table, and the edges do not move with it."""
    raw = moved(state, (0.0, 10_000.0, 10_000.0, False)).model_dump(mode="json")
    return TableState.model_validate(raw | {"table": {"width_mm": 20_000, "depth_mm": 20_000}})


def verdict(state: TableState, query: dict[str, Any]) -> Verdict:
    return ask(state, parse_query(query))


@pytest.mark.parametrize("query", PAIRS, ids=lambda q: q["kind"])
@given(state=tables(most=4), chosen=choices(), motion=rigid_motions())
@settings(max_examples=25, deadline=None)
def test_moving_or_mirroring_the_whole_table_changes_no_margin(
    query: dict[str, Any], state: TableState, chosen: dict[str, str], motion: tuple[float, float, float, bool]
) -> None:
    here = verdict(under(_amid_a_large_table(state), chosen), query)
    there = verdict(under(_amid_a_large_table(moved(state, motion)), chosen), query)

    # shares of round bases are those of a polygon in its place, which does not turn with the table
    is_share = (query["kind"], "share") in {
        ("los", chosen["open-sight"].replace("body", "share")),
        ("cover", chosen["open-cover"]),
    }
    assert there.status == here.status
    assert there.margin_mm == pytest.approx(here.margin_mm, abs=1.0 if is_share else 1e-6)


@given(state=tables(most=4), chosen=choices(), less=st.floats(0, 30), more=st.floats(0, 30))
@settings(max_examples=60, deadline=None)
def test_a_longer_reach_never_turns_yes_to_no(
    state: TableState, chosen: dict[str, str], less: float, more: float
) -> None:
    near = verdict(under(state, chosen), {**PAIRS[0], "range_in": less})
    far = verdict(under(state, chosen), {**PAIRS[0], "range_in": less + more})

    assert not (near.answer == "yes" and far.answer != "yes")


@given(state=tables(most=4), chosen=choices(), less=st.floats(0, 30), more=st.floats(0, 30))
@settings(max_examples=40, deadline=None)
def test_a_longer_action_never_turns_yes_to_no(
    state: TableState, chosen: dict[str, str], less: float, more: float
) -> None:
    short = verdict(under(state, chosen), {**PAIRS[-1], "length_in": less})
    long = verdict(under(state, chosen), {**PAIRS[-1], "length_in": less + more})

    assert not (short.answer == "yes" and long.answer != "yes")


@pytest.mark.parametrize("kind", ["within", "distance", "engaged"])
@given(state=tables(most=4), chosen=choices())
@settings(max_examples=25, deadline=None)
def test_distances_are_the_same_both_ways(kind: str, state: TableState, chosen: dict[str, str]) -> None:
    table = under(state, chosen | {"open-engage-sight": "no"})
    names = ("attacker", "target") if kind == "engaged" else ("a", "b")
    more = {"range_in": 8} if kind == "within" else {}
    there, back = (
        verdict(table, {"kind": kind, names[0]: one, names[1]: other, **more})
        for one, other in (("m0", "m1"), ("m1", "m0"))
    )

    assert there.value["distance_mm"] == pytest.approx(back.value["distance_mm"], abs=1e-9)


@given(state=tables(most=5), chosen=choices())
@settings(max_examples=40, deadline=None)
def test_any_line_and_the_middle_line_are_the_same_both_ways(state: TableState, chosen: dict[str, str]) -> None:
    assume(chosen["open-sight"] in _SYMMETRIC_SIGHT)
    table = under(state, chosen)
    there = verdict(table, {"kind": "los", "viewer": "m0", "target": "m1"})
    back = verdict(table, {"kind": "los", "viewer": "m1", "target": "m0"})

    assert there.margin_mm == pytest.approx(back.margin_mm, abs=1e-3)


@given(state=tables(most=4), chosen=choices())
@settings(max_examples=40, deadline=None)
def test_a_wider_arc_never_loses_what_was_in_front(state: TableState, chosen: dict[str, str]) -> None:
    narrow, wide = (verdict(under(state, chosen | {"open-arc-deg": width}), PAIRS[2]) for width in ("90", "180"))

    assert not (narrow.answer == "yes" and wide.answer == "no")


@given(state=tables(most=4), chosen=choices(), sigma=st.floats(0.2, 3.0))
@settings(max_examples=25, deadline=None)
def test_what_a_measuring_error_may_turn_is_too_close(state: TableState, chosen: dict[str, str], sigma: float) -> None:
    """The limit lies exactly where b stands: half of all tables that may be the true one answer yes."""
    raw = state.model_dump(mode="json")
    raw["miniatures"] = [m | {"sigma": {"at_mm": sigma}} for m in raw["miniatures"]]
    table = under(TableState.model_validate(raw), chosen)
    apart = verdict(table, {"kind": "distance", "a": "m0", "b": "m1"}).value["distance_mm"]
    assume(apart > 20 * sigma)

    found = verdict(table, {**PAIRS[0], "range_in": apart / 25.4})
    assert (found.answer, round(found.probability or 0.0, 1)) == ("too-close", 0.5)


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_brute_force_agrees_on_random_tables_under_random_settings(first: int) -> None:
    assert [one for seed in range(first, first + 20) for one in disagreements(seed)] == []


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_chooses_what_it_names_and_the_table_outweighs_it(preset: str) -> None:
    chosen = PRESETS[preset]
    assert all(HOUSE_RULES[key].allows(value) for key, value in chosen.items())

    state = random_state(3).model_copy(update={"house_rules": {"open-preset": preset, "open-measure": "edge"}})
    told = verdict(state, {"kind": "distance", "a": "m0", "b": "m1"}).house_rules
    assert told.get("open-measure") == "edge"


def test_the_preset_of_middles_measures_from_middle_to_middle() -> None:
    state = under(random_state(3), {"open-preset": "skirmish-centre"})

    (x0, y0), (x1, y1) = (state.by_id[id_].at_mm for id_ in ("m0", "m1"))  # type: ignore[union-attr]
    told = verdict(state, {"kind": "distance", "a": "m0", "b": "m1"}).value["distance_mm"]
    assert told == pytest.approx(((x0 - x1) ** 2 + (y0 - y1) ** 2) ** 0.5)


@pytest.mark.parametrize("rule", OPEN_SETTINGS, ids=lambda one: one.key)
def test_every_setting_is_explained_and_its_default_is_one_of_its_readings(rule: Any) -> None:
    assert rule.allows(rule.defaults["open"])
    assert rule.means
    assert all(len(told) > 3 for told in rule.means.values())


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("open-arc-deg", "361", "at most 360"),
        ("open-arc-deg", "nan", "a number"),
        ("open-hair-mm", "-1", "a number"),
        ("open-coherency-in", "inf", "a number"),
        ("open-measure", "elbow", "edge, centre, hull"),
        ("open-preset", "none-such", "skirmish-centre"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_what_may_be(key: str, value: str, says: str) -> None:
    with pytest.raises(ValueError, match=says) as refused:
        under(random_state(1), {key: value})

    assert key in str(refused.value)
    assert value in str(refused.value)
