"""Interruption: a charge that runs into an enemy nobody charged is none, and stops there."""

import math
import random
from typing import Any

import pytest

from models.parsing import parse_query
from models.state import TableState
from referee import ask
from referee.geometry.distance import gap
from referee.geometry.shapes import RoundedShape
from tests.referee.editions.warhammer_9.tables import block, table

CHARGED: dict[str, Any] = {"kind": "charge", "attacker": "A", "target": "T"}
STEPS: tuple[dict[str, Any], ...] = (
    {"step": "declare"}, {"step": "outcome", "dice": {"charge": [6, 6]}}, {"step": "heading"}, {},
)  # fmt: skip


def _hemmed(**more: Any) -> TableState:
    """T is narrow and stands between L and R: nobody eight wide comes to it and to nobody else."""
    units = [
        block("A", "red", (600, 300), 90, 8, 24),
        block("T", "blue", (600, 450), 270, 2, 4),
        block("L", "blue", (545, 450), 270, 3, 6),
        block("R", "blue", (655, 450), 270, 3, 6),
    ]
    return table(units, **more)


def _outline(pose: dict[str, Any], wide: float, deep: float) -> RoundedShape:
    (x, y), facing = pose["front_mm"], math.radians(pose["facing_deg"])
    ax, ay = math.cos(facing), math.sin(facing)
    corners = [(x - s * ay * wide / 2 - b * ax * deep, y + s * ax * wide / 2 - b * ay * deep)
               for s, b in ((1, 0), (1, 1), (-1, 1), (-1, 0))]  # fmt: skip
    return RoundedShape(tuple(corners))


@pytest.mark.parametrize("step", STEPS)
def test_at_every_step_it_may_not_be_declared_alone(step: dict[str, Any]) -> None:
    verdict = ask(_hemmed(), parse_query(CHARGED | step))

    (other,) = verdict.value["must_also"]
    assert verdict.answer == "no"
    assert {"clause": "others", "answer": "no", "margin_mm": -1000.0} in verdict.value["clauses"]
    assert verdict.unlock == f"charge:{other}"
    assert any(other in (reason.effect or "") for reason in verdict.because)
    assert verdict.value["stopped_by"] == other


def test_charged_as_well_it_bars_nothing() -> None:
    (other,) = ask(_hemmed(), parse_query(CHARGED)).value["must_also"]
    log = [{"what": "charge", "by": "A", "target": other}]
    verdict = ask(_hemmed(turn={"active": "red", "log": log}), parse_query(CHARGED))

    assert (verdict.answer, verdict.value["must_also"]) == ("yes", [])


def test_several_charges_of_one_say_the_same() -> None:
    alone = ask(_hemmed(), parse_query(CHARGED))
    many = ask(_hemmed(), parse_query({"kind": "multi-charge", "attackers": ["A"], "targets": ["T"]}))

    assert (alone.answer, many.answer) == ("no", "no")
    assert alone.value["must_also"] == many.value["must_also"]
    assert alone.value["poses"] == many.value["poses"]


@pytest.mark.parametrize("seed", range(12))
def test_it_stops_where_it_first_touches_them(seed: int) -> None:
    """The enemies beside the target stand nearer or farther, all turned about anyhow: never one upon another."""
    r = random.Random(seed)
    ahead = r.uniform(-30, 30)
    units = [
        block("A", "red", (600 + r.uniform(-20, 20), 300), 90 + r.uniform(-10, 10), 8, 24),
        block("T", "blue", (600, 450), 270, 2, 4),
        block("L", "blue", (545, 450 + ahead), 270, 3, 6),
        block("R", "blue", (655, 450 + ahead), 270, 3, 6),
    ]
    verdict = ask(table(units), parse_query(CHARGED))
    if not verdict.value["must_also"]:
        return

    stopped = _outline(verdict.value["poses"]["A"], 160, 60)
    other = _outline(units[2 if verdict.value["stopped_by"] == "L" else 3]["block"], 60, 40)
    assert gap(stopped, other).mm == pytest.approx(0.0, abs=1e-3)
