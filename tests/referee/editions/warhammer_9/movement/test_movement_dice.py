"""Chances of dice, against every roll written out."""

from fractions import Fraction
from itertools import product

import pytest

from referee.editions.warhammer_9.movement.movement_dice import chance_at_least
from referee.editions.warhammer_9.movement.pursuit import caught_chance
from referee.editions.warhammer_9.shooting.attack_modifiers import to_hit_chance

_ROLLED = {
    "highest-of-2d6": (2, lambda faces: sorted(faces)[-1]),
    "2d6": (2, lambda faces: faces[0] + faces[1]),
    "best-two-of-3d6": (3, lambda faces: sum(sorted(faces)[1:])),
    "3d6": (3, lambda faces: faces[0] + faces[1] + faces[2]),
}


@pytest.mark.parametrize("name", _ROLLED)
@pytest.mark.parametrize("needed", range(1, 20))
def test_a_chance_is_the_share_of_all_rolls(name: str, needed: int) -> None:
    dice, total = _ROLLED[name]
    rolls = list(product(range(1, 7), repeat=dice))

    assert chance_at_least(name, needed) == Fraction(sum(total(faces) >= needed for faces in rolls), len(rolls))


def test_two_dice_catch_two_dice_in_721_of_1296() -> None:
    assert caught_chance("2d6", "2d6") == Fraction(721, 1296)


@pytest.mark.parametrize("needs", range(2, 12))
def test_seven_and_more_need_a_six_and_then_a_second_roll(needs: int) -> None:
    def hits(first: int, second: int) -> bool:
        if first == 1:
            return False
        return first >= needs if needs <= 6 else first == 6 and needs < 10 and second >= needs - 3

    rolls = list(product(range(1, 7), repeat=2))
    assert to_hit_chance(needs) == Fraction(sum(hits(*faces) for faces in rolls), 36)
