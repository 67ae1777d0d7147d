"""Chapters that the first edition does not hold: answered as the next edition has them, which is cited."""

from typing import Any

import pytest

from tests.referee.tables import asked, box, mini, table

ME = mini("a", 300, 600, 0, side="red", reach=0.5, profile={"spd_in": 6})
FOE = mini("b", 345, 600, 180, side="blue")
SIDES = [{"id": "red", "edge": "near"}, {"id": "blue", "edge": "far"}]
STEP = box("t", "obstacle", 380, 500, 480, 700, height_mm=20)


@pytest.mark.parametrize(
    ("query", "others", "things", "margin_mm"),
    [
        ({"kind": "climb", "mover": "a", "feature": "t", "heading_deg": 0}, (), {"terrain": [STEP]}, 36.6),
        ({"kind": "water", "who": "a"}, (), {"terrain": [box("t", "deep-water", 200, 500, 480, 700)]}, 115.0),
        ({"kind": "trench", "target": "a"}, (), {"terrain": [box("t", "trench", 200, 500, 480, 700)]}, 85.0),
        ({"kind": "melee-terrain-bonus", "attacker": "a", "target": "b"}, (FOE,),
         {"terrain": [box("t", "wall", 318, 550, 328, 650, height_mm=20)]}, 42.0),
        ({"kind": "deployment", "who": "a", "to": {"at_mm": [300, 100]}}, (), {"sides": SIDES}, 85.0),
    ],
)  # fmt: skip
def test_what_the_errata_leave_out_is_answered_from_the_next_edition(
    query: dict[str, Any], others: tuple[dict[str, Any], ...], things: dict[str, Any], margin_mm: float
) -> None:
    allow = {"measure-policy": "allow"}
    verdict = asked(table(ME, *others, edition="warmachine-mk1", house_rules=allow, **things), **query)

    assert (verdict.answer, round(verdict.margin_mm or 0.0, 1)) == ("yes", margin_mm)
    assert {reason.source.book for reason in verdict.because} == {"HORDES Mk II field test"}


def test_first_contact_and_least_disturbance_are_measured_there_too() -> None:
    allow = {"measure-policy": "allow"}
    contacts = asked(
        table(ME, FOE, edition="warmachine-mk1", house_rules=allow),
        "first-contact",
        mover="a",
        heading_deg=0,
        distance_in=6,
    ).value["contacts"]
    beneath = table(ME, mini("c", 310, 600), edition="warmachine-mk1", house_rules=allow)

    assert [contact["id"] for contact in contacts] == ["b"]  # type: ignore[union-attr,index,call-overload]
    assert asked(beneath, "least-disturbance", mover="a").value["total_mm"] == pytest.approx(20.0)
