"""Aim at a building: its own walls hide no point of it, those of another do."""

from hypothesis import given
from hypothesis import strategies as st

from tests.referee.editions.warhammer_9.tables import CARD, lone, table
from tests.referee.tables import asked

INCH = 25.4


@given(st.floats(510, 690), st.floats(710, 790), st.booleans())
def test_only_another_building_hides_a_point_of_one(x: float, y: float, screened: bool) -> None:
    """Source: Shooting at a Garrison Unit, p. 99."""
    house = {"id": "house", "kind": "building", "polygon_mm": [[500, 700], [700, 700], [700, 800], [500, 800]]}
    screen = {"id": "screen", "kind": "building", "polygon_mm": [[200, 400], [1000, 400], [1000, 450], [200, 450]]}
    card = CARD | {"ranged": [{"name": "stone thrower", "rng_in": [12, 60]}]}
    machine = lone("M", "red", (600, 200), 90, type="war-machine", profile=card)

    verdict = asked(
        table([], [machine], terrain=[house, *[screen] * screened]), "stone-thrower", attacker="M", at=[x, y]
    )

    assert verdict.answer == ("no" if screened else "yes")
