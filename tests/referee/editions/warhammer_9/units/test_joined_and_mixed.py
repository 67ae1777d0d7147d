"""Who counts of a unit: the character that stirs in it, the beasts and not their handlers, those still in the fight."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.unit_conversion import inches
from tests.referee.editions.warhammer_9.tables import CARD, block, lone, table
from tests.referee.tables import asked

SMALL = {"shape": "rect", "width_mm": 20, "depth_mm": 20}


def ranked(file: int, **more: Any) -> dict[str, Any]:
    at = (600 + 20 * file, 590)
    return lone(f"A{file}", "red", at, 90, unit="A", rank=0, file=file, base=SMALL, **more)


@given(st.sampled_from(["advance", "pivot", "swift-reform", "vanguard"]), st.booleans())
def test_a_unit_moved_where_a_character_in_it_moved(word: str, by_character: bool) -> None:
    """Source: Movement, p. 82; a vanguard move counts for nobody, p. 67."""
    deeds = {"moved": [word]}
    hero = ranked(0, role=["character"], **({"this_turn": deeds} if by_character else {}))
    unit = {"id": "A", "side": "red", **({} if by_character else {"this_turn": deeds})}
    state = table([unit, block("E", "blue", (650, 900), 270, 5, 5)], [hero, *map(ranked, range(1, 6))])

    verdict = asked(state, "attack-modifiers", attacker="A", target="E", attack="ranged", weapon="bow")

    assert ("moved" in [found["name"] for found in verdict.value["modifiers"]]) == (word != "vanguard")


@given(st.floats(3, 9), st.floats(3, 9), st.booleans())
def test_a_mixed_unit_goes_at_the_pace_of_its_beasts(beasts: float, handlers: float, mixed: bool) -> None:
    """Source: Mixed Unit, p. 62; else the slowest sets the pace, p. 15."""
    words = {"abilities": ["mixed-unit"]} if mixed else {}
    front = [ranked(k, type="war-beast", profile=CARD | {"spd_in": beasts} | words) for k in range(5)]
    behind = {"rank": 1, "at_mm": (640, 570), "id": "H"}
    driver = ranked(2, profile=CARD | {"spd_in": handlers} | words) | behind
    state = table([{"id": "A", "side": "red"}], [*front, driver])

    verdict = asked(state, "move", mover="A", steps=({"do": "forward", "by_in": 1},))

    pace = beasts if mixed else min(beasts, handlers)
    assert verdict.value["left_mm"] == pytest.approx(inches(pace) - inches(1))


@given(st.floats(450, 520))
def test_skirmishers_in_the_vanguard_keep_twelve_inches_from_the_enemy(y: float) -> None:
    loose = block("S", "red", (600, 400), 90, 5, 10, gap_mm=12.7, formation="skirmish")
    loose["block"]["profile"] = CARD | {"abilities": ["skirmishers"]}
    state = table([loose, block("E", "blue", (600, 800), 270, 5, 5)])

    verdict = asked(state, "move", mover="S", manner="vanguard", to={"front_mm": [600, y], "facing_deg": 90})

    assert verdict.answer == ("yes" if 800 - y > inches(12) else "no")


def total(units: list[dict[str, Any]], *ours: str, theirs: tuple[str, ...]) -> int:
    verdict = asked(table(units), "combat-bonuses", a=ours, b=theirs)
    return verdict.value["total"]["a"]  # type: ignore[no-any-return]


def test_who_touches_no_enemy_any_more_adds_nothing() -> None:
    """Source: No More Foes, p. 53."""
    foe, mine = block("E", "blue", (600, 600), 270, 5, 5), block("A", "red", (600, 600), 90, 5, 5, standard=True)
    far = block("D", "red", (1200, 600), 90, 5, 10, standard=True)

    assert total([foe, mine, far], "A", "D", theirs=("E",)) == total([foe, mine], "A", theirs=("E",)) == 1


def test_the_flank_is_counted_once_whomever_it_is_of() -> None:
    """Source: Calculate Combat Result, p. 46: each bonus once, unless it says otherwise."""
    foes = [block("E", "blue", (600, 600), 90, 5, 10), block("F", "blue", (1000, 600), 90, 5, 10)]
    mine = [block("A", "red", (650, 580), 180, 5, 5), block("D", "red", (1050, 580), 180, 5, 5)]
    verdict = asked(table([*foes, *mine]), "combat-bonuses", a=("A", "D"), b=("E", "F"))

    assert [found["bonus"] for found in verdict.value["bonuses"] if found["name"] == "flank"] == [1]
