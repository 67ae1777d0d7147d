"""Hostile questions: each is refused with its field and value, or answered; none ends in an error of ours.

`python -m benchmarks.rules.hostile_questions hordes-mk2 20000` tries more of them.
"""

import json
import random
from functools import cache
from typing import Any

import pytest

from models.errors import BadInput
from models.parsing import parse_query
from models.queries import BaseQuery
from models.state import TableState
from models.vocabulary import EditionId
from referee import ask
from tests.referee.hostile_questions import find_faults, hostile_query, kinds_of

FAMILY: tuple[EditionId, ...] = ("warmachine-prime", "hordes-mk2", "warmachine-mk1")
MINIATURES = ("caster", "jack", "a", "b", "c", "enemy", "foe", "foe2", "giant")


def _mini(id_: str, x: float, y: float, d: float, side: str, facing: float, **more: Any) -> dict[str, Any]:
    card = {
        "spd_in": 6,
        "strength": 8,
        "defence": 12,
        "cmd_in": 8,
        "control_stat": 6,
        "melee": [{"name": "Blade", "reach_in": 2}],
        "ranged": [{"name": "Rifle", "rng_in": 12, "aoe_in": 3}],
        "spells": [{"name": "Bolt", "rng_in": 10, "offensive": True}],
    }
    return {
        "id": id_,
        "base": {"shape": "round", "diameter_mm": d},
        "at_mm": [x, y],
        "side": side,
        "facing_deg": facing,
        "profile": card | more.pop("profile", {}),
    } | more


@cache
def table_of(edition: EditionId, sigma_mm: float = 0.0) -> TableState:
    """Two small armies in melee and out of it, ground of every sort, and a unit that has nobody left."""
    minis = [
        _mini("caster", 300, 300, 40, "red", 90, type="warcaster"),
        _mini("jack", 420, 320, 50, "red", 80, type="warjack", controller="caster"),
        _mini("a", 500, 500, 30, "red", 90, unit="u", role=["commander"]),
        _mini("b", 540, 500, 30, "red", 90, unit="u", status=["knocked-down"]),
        _mini("c", 580, 505, 30, "red", 90, unit="u", before={"at_mm": [560, 420], "facing_deg": 90}),
        _mini("enemy", 505, 560, 40, "blue", 270, type="warbeast"),
        _mini("foe", 640, 640, 30, "blue", 250, unit="v", role=["commander"]),
        _mini("foe2", 690, 640, 30, "blue", 250, unit="v", status=["fleeing"] if edition != "warmachine-prime" else []),
        _mini("giant", 900, 900, 120 if edition == "warmachine-prime" else 50, "blue", 200, type="warjack"),
    ]
    for one in minis:
        one["sigma"] = {"at_mm": sigma_mm, "facing_deg": 2 * sigma_mm}
    square = [[700, 400], [760, 400], [760, 460], [700, 460]]
    state = {
        "version": 1,
        "edition": edition,
        "table": {"width_mm": 1219.2, "depth_mm": 1219.2},
        "house_rules": {} if edition == "warmachine-prime" else {"measure-policy": "allow"},
        "turn": {"round": 2, "active": "red", "phase": "activation", "activating": "c"},
        "miniatures": minis,
        "units": [{"id": "u", "commander": "a", "command_in": 8}, {"id": "v", "commander": "foe"}, {"id": "empty"}],
        "terrain": [
            {"id": "wall", "kind": "wall", "line_mm": [[450, 580], [600, 585]], "thickness_mm": 8, "height_mm": 22},
            {"id": "wood", "kind": "forest", "polygon_mm": square},
            {"id": "hill", "kind": "hill", "centre_mm": [850, 850], "diameter_mm": 260, "height_mm": 30},
            {"id": "ditch", "kind": "trench", "centre_mm": [300, 700], "diameter_mm": 120},
        ],
        "effects": [{"id": "cloud", "kind": "cloud", "centre_mm": [600, 560], "diameter_mm": 76}],
        "objectives": [{"id": "flag", "kind": "flag", "at_mm": [609.6, 700], "diameter_mm": 40}],
        "zones": [{"id": "zone", "kind": "control", "centre_mm": [609.6, 609.6], "diameter_mm": 300}],
    }
    return TableState.model_validate(state)


def answer(state: TableState, raw: dict[str, Any]) -> dict[str, Any]:
    """The verdict or the problem, as JSON without NaN."""
    try:
        verdict = ask(state, parse_query(raw))
    except BadInput as wrong:
        return json.loads(json.dumps(wrong.problem(), allow_nan=False))
    return json.loads(json.dumps(verdict.model_dump(mode="json"), allow_nan=False))


def draw_well_formed(state: TableState, cls: type[BaseQuery], told: dict[str, Any]) -> dict[str, Any]:
    """A question of this kind that has the right shape, with these fields."""
    for seed in range(4000):
        raw = hostile_query(random.Random(seed), cls, state) | told
        try:
            named = dict(parse_query(raw).names())
        except BadInput:
            continue
        if set(named.values()) <= set(MINIATURES):
            return raw
    raise AssertionError(cls)


@pytest.mark.parametrize("edition", FAMILY)
@pytest.mark.parametrize(("sigma_mm", "tries"), [(0.0, 160), (0.3, 12)])
def test_a_question_of_any_kind_is_answered_or_refused(edition: EditionId, sigma_mm: float, tries: int) -> None:
    assert list(find_faults(edition, [table_of(edition, sigma_mm)], range(tries))) == []


@pytest.mark.parametrize("edition", FAMILY)
def test_a_role_for_a_miniature_or_a_unit_takes_no_table_edge_and_no_ground(edition: EditionId) -> None:
    for cls in kinds_of(edition):
        raw = hostile_query(random.Random(1), cls, table_of(edition))
        for field in cls.PLACES:
            if cls.wants_miniature(field) or cls.wants_unit(field):
                for wrong in ("edge:near", "wall", "nobody"):
                    many = isinstance(raw.get(field), list)
                    told = answer(table_of(edition), raw | {field: [wrong] if many else wrong})

                    assert told.get("status") == 422, (raw, field, wrong)


@pytest.mark.parametrize("edition", FAMILY)
def test_nobody_looks_at_strikes_or_touches_himself(edition: EditionId) -> None:
    for cls in kinds_of(edition):
        for first, second in cls.APART:
            told = answer(table_of(edition), draw_well_formed(table_of(edition), cls, {first: "a", second: "a"}))

            assert told.get("field") == second, told


@pytest.mark.parametrize("edition", FAMILY)
@pytest.mark.parametrize(
    "raw",
    [
        {"kind": "distance", "a": "a", "b": "empty"},
        {"kind": "within", "a": "empty", "b": "a", "range_in": 5},
        {"kind": "aura", "source": "empty", "range_in": 5},
        {"kind": "in-back-arc", "viewer": "a", "target": "empty"},
    ],
)
def test_a_unit_of_which_nobody_is_left_is_named(edition: EditionId, raw: dict[str, Any]) -> None:
    assert answer(table_of(edition), raw) | {"type": None, "title": None} == {
        "type": None,
        "title": None,
        "status": 422,
        "detail": f"{next(k for k, v in raw.items() if v == 'empty')}: nobody of 'empty' is on the table",
        "field": next(k for k, v in raw.items() if v == "empty"),
        "value": "empty",
    }
