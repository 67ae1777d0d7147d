"""What a card or a table does not tell is asked for by name; nothing is guessed and nothing raises."""

import json
from typing import Any

import pytest

from models.errors import BadState
from models.parsing import parse, parse_query
from models.profile import Profile
from models.state import Miniature, TableState
from models.verdict import Verdict
from referee import ask
from tests.referee.scenario import Scenario
from tests.referee.tables import asked, box, mini, table
from tests.referee.test_rules_covered import BOOKS
from tests.rows import every_row

_LOW_UNLESS_TOLD = {"los-obstacle-lean"}  # an obstacle of Warhammer that nobody measured is one to fire over
LISTS = {"melee", "ranged", "spells"}
SCENARIOS = [one for scenarios in BOOKS.values() for one in scenarios]


def _told(verdict: Verdict) -> tuple[object, ...]:
    """What a verdict comes to."""
    return (
        verdict.answer,
        verdict.margin_mm,
        tuple((m.id, m.answer) for m in verdict.members),
        verdict.value.get("total"),
    )


def _without(state: TableState, id_: str, *fields: str) -> TableState:
    """The table after somebody has torn a corner off a card, or never said which way one looks."""
    raw = state.model_dump(mode="json", exclude_none=True)
    one = next(m for m in raw["miniatures"] if m["id"] == id_)
    for field in fields:
        where = one if field == "facing_deg" else one["profile"]
        where.pop(field, None)
    return TableState.model_validate(raw)


def _different(state: TableState) -> list[Miniature]:
    """One miniature of each card in each unit: its comrades in the ranks would only repeat it."""
    return list({(m.unit or m.id, m.profile): m for m in reversed(state.miniatures)}.values())


STRIPPED = [
    pytest.param(s, m.id, field, id=f"{s.state.edition}-{s.name}-{m.id}-{field}")
    for s in SCENARIOS
    if s.side == "yes"
    for m in _different(s.state)
    for field in sorted({name for name in Profile.model_fields if name in m.profile.model_fields_set} - {"abilities"})
    if getattr(m.profile, field) != Profile.model_fields[field].default
]


@every_row(("scenario", "id_", "field"), STRIPPED)
def test_without_a_line_of_the_card_it_is_asked_for_or_was_not_needed(scenario: Scenario, id_: str, field: str) -> None:
    torn = _without(scenario.state, id_, field)
    before, after = scenario.verdict, ask(torn, parse_query(scenario.query))
    none_such = field in LISTS and next(m for m in torn.miniatures if m.id == id_).profile != Profile()

    names = {id_, next(m.unit for m in torn.miniatures if m.id == id_)}
    needs = [need for need in after.needs if not names.isdisjoint(need.split())]
    needed = [need for need in needs if field in need or need.startswith("facing")]
    assert needed or _told(after) == _told(before) or none_such


@every_row(
    ("scenario", "id_"),
    [
        pytest.param(s, m.id, id=f"{s.state.edition}-{s.name}-{m.id}")
        for s in SCENARIOS
        if s.side == "yes"
        for m in _different(s.state)
    ],
)
def test_a_facing_that_matters_is_asked_for(scenario: Scenario, id_: str) -> None:
    turned = _without(scenario.state, id_, "facing_deg")
    before, after = scenario.verdict, ask(turned, parse_query(scenario.query))

    unknown: Any = after.value.get("unknown", ())
    asked_for = f"facing_deg of {id_}" in (*after.needs, *unknown)
    unsure = any(m.answer == "too-close" for m in after.members)
    assert asked_for or unsure or (after.answer, after.value.get("grid")) == (before.answer, before.value.get("grid"))


@pytest.mark.parametrize("name", ["unit-distance", "in-front-arc-unit"])
def test_a_unit_whose_facings_nobody_told_is_asked_for_at_once(name: str) -> None:
    """Trying all facings of twenty miniatures would never end."""
    scenario = next(s for s in BOOKS["warhammer-9"] if s.rule == name and s.side == "yes")
    raw = scenario.state.model_dump(mode="json", exclude_none=True)
    for one in raw["miniatures"]:
        one.pop("facing_deg", None)
    verdict = ask(TableState.model_validate(raw), parse_query(scenario.query))

    assert verdict.status == "unknown"
    assert len(verdict.needs) == 3
    assert all(need.startswith("facing_deg of ") for need in verdict.needs)


@every_row(
    "scenario",
    [s for s in SCENARIOS if s.state.terrain and s.query["kind"] == "los" and s.rule not in _LOW_UNLESS_TOLD],
    ids=lambda s: s.full_name,
)
def test_a_solid_of_untold_height_is_asked_for_where_it_matters(scenario: Scenario) -> None:
    raw = scenario.state.model_dump(mode="json", exclude_none=True)
    for piece in raw["terrain"]:
        piece.pop("height_mm", None)
    before, after = scenario.verdict, ask(TableState.model_validate(raw), parse_query(scenario.query))

    told = after.needs == tuple(f"terrain.height_mm of {piece['id']}" for piece in raw["terrain"])
    assert told or after.answer == before.answer


@pytest.mark.parametrize(
    ("kind", "fields", "needs"),
    [
        ("melee-range", {"target": "b"}, "profile.melee of a"),
        ("melee-range", {"target": "b", "weapon": "Axe"}, "weapon Axe in profile.melee of a"),
        ("engaged", {"target": "b"}, "profile.melee of a"),
        ("range", {"target": "b"}, "profile.ranged of a"),
        ("range", {"target": "b", "weapon": "Gun"}, "rng_in of weapon Gun in profile.ranged of a"),
        ("range", {"target": "b", "stat": "command"}, "profile.cmd_in of a"),
        ("range", {"target": "b", "stat": "control"}, "profile.control_stat of a"),
        ("may-shoot", {}, "profile.ranged of a"),
        ("may-shoot", {"weapon": "Gun"}, "weapon Gun in profile.ranged of a"),
        ("target-legal", {"target": "b", "attack": "melee"}, "profile.melee of a"),
        ("target-legal", {"target": "b", "attack": "melee", "weapon": "Axe"}, "weapon Axe in profile.melee of a"),
        ("target-legal", {"target": "b", "attack": "ranged", "weapon": "Gun"}, "weapon Gun in profile.ranged of a"),
        ("aim", {"who": "a"}, "this_turn.start of a"),
        ("free-strike", {"mover": "a"}, "path_mm"),
        ("spell-target", {"caster": "a", "target": "b", "spell": "Bolt"}, "rng_in of spell Bolt of a"),
        ("spell-target", {"caster": "a", "target": "b"}, "range_in"),
        ("damage-arc", {"target": "a"}, "attacker"),
        ("damage-arc", {"target": "a", "cause": "blast"}, "origin"),
        ("aura", {"source": "a"}, "range_in"),
        ("aura", {"source": "a", "effect": "control"}, "profile.control_stat of a"),
        ("sweep", {"reach_in": 2}, "location of a"),
    ],
)
def test_what_is_missing_is_named(kind: str, fields: dict[str, Any], needs: str) -> None:
    me = mini("a", 300, 300, side="red", mm=120 if kind == "sweep" else 30)
    others = {"who", "mover", "caster", "source"} & fields.keys() or kind == "damage-arc"
    verdict = asked(
        table(me, mini("b", 400, 300, 180, side="blue")), kind, **({} if others else {"attacker": "a"}), **fields
    )

    assert (verdict.status, verdict.needs) == ("unknown", (needs,))


def test_an_arm_of_a_colossal_without_its_side_is_asked_for() -> None:
    arm = {"melee": [{"name": "Arm", "reach_in": 2}]}
    state = table(mini("a", 600, 600, 90, mm=120, type="warjack", profile=arm), mini("b", 520, 680))

    assert asked(state, "sweep", attacker="a", weapon="Arm").needs == ("location of a",)


def test_a_gun_without_a_range_is_asked_for() -> None:
    gun = {"ranged": [{"name": "Gun"}]}
    state = table(mini("a", 300, 300, profile=gun), mini("b", 600, 300))

    assert asked(state, "range", attacker="a", target="b", weapon="Gun").needs == (
        "rng_in of weapon Gun in profile.ranged of a",
    )


def _refused(**changes: Any) -> BadState:
    plain = table(mini("a", 300, 300)).model_dump(mode="json", exclude_none=True)
    with pytest.raises(BadState) as wrong:
        parse(TableState, json.dumps(plain | changes), error=BadState)
    return wrong.value


def test_an_unknown_ability_is_named_beside_those_that_are_known() -> None:
    wrong = _refused(miniatures=[mini("a", 300, 300, abilities=["stelth"])])

    assert (wrong.field, wrong.value) == ("miniatures.0.profile.abilities.0", "stelth")
    assert "'stealth'" in wrong.detail


def test_an_unknown_kind_of_terrain_is_named() -> None:
    wrong = _refused(terrain=[box("w", "lava", 0, 0, 10, 10)])

    assert (wrong.field, wrong.value) == ("terrain.0.kind", "lava")


def test_terrain_that_only_other_books_know_is_named_with_what_to_do() -> None:
    state = table(mini("a", 300, 300), mini("b", 500, 300), terrain=[box("m", "marsh", 0, 0, 10, 10)])
    with pytest.raises(BadState) as wrong:
        asked(state, "los", viewer="a", target="b")

    assert (wrong.value.field, wrong.value.value) == ("terrain.0.kind", "marsh")
    assert "rough" in wrong.value.detail
