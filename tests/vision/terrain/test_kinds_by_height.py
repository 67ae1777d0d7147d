"""Kinds by height: what stands up is no water, what lies flat no wall."""

from models.terrain_proposal import KindGuess
from vision.terrain.classification import weigh_by_height

GUESSES = (KindGuess(kind="trench", probability=0.56), KindGuess(kind="building", probability=0.12))


def test_what_surely_stands_up_is_no_trench() -> None:
    assert weigh_by_height(GUESSES, least_mm=45, most_mm=60) == (KindGuess(kind="building", probability=0.27),)


def test_what_surely_lies_flat_is_no_building() -> None:
    assert weigh_by_height(GUESSES, least_mm=0, most_mm=6) == (KindGuess(kind="trench", probability=0.64),)


def test_a_doubtful_height_takes_no_guess_away() -> None:
    assert weigh_by_height(GUESSES, least_mm=2, most_mm=40) == GUESSES
