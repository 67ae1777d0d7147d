"""Rectangles among round bases: the surest decides whether the table holds any."""

from dataclasses import replace

from models.base import Catalogue, RectBase, RoundBase, catalogue_of
from models.written_book import catalogue_in_play
from tests.vision.fits import fit
from vision.candidates import Candidate, NetworkScore
from vision.measurement.base_fit import BaseFit
from vision.rectification.ground_height import FLAT
from vision.selection.candidate_fits import are_rectangles_in_play, doubt_rectangles

ROUND, SQUARE = RoundBase(diameter_mm=32.0), RectBase(width_mm=40.0, depth_mm=40.0)
EVERY = catalogue_of()


def _rounds(count: int) -> list[BaseFit]:
    return [fit((100.0 * k, 100.0), diameter_mm=ROUND.diameter_mm) for k in range(count)]


def _square(chance: float) -> Candidate:
    return Candidate(SQUARE, (300.0, 300.0), FLAT, chance, network_score=NetworkScore(chance, 0.0))


def _in_play(
    *chances: float, rounds: int = 5, catalogue: Catalogue = EVERY, standing: tuple[BaseFit, ...] = ()
) -> bool:
    squares = [_square(chance) for chance in chances]
    return are_rectangles_in_play(squares, _rounds(rounds), standing=standing, catalogue=catalogue)


def test_walls_that_look_alike_are_no_regiment_among_round_bases() -> None:
    assert not _in_play(0.9, 0.88, 0.87, 0.86)


def test_one_that_is_sure_brings_all_others_into_play() -> None:
    assert _in_play(0.97, 0.5)


def test_few_round_bases_speak_against_nothing() -> None:
    assert _in_play(0.6, rounds=2)


def test_where_the_edition_has_rectangles_nothing_speaks_against_them() -> None:
    assert _in_play(0.6, catalogue=catalogue_in_play("warhammer-9", None))
    assert not _in_play(0.6, catalogue=catalogue_in_play("warmachine-prime", None))


def test_where_one_stands_already_nothing_speaks_against_others() -> None:
    assert _in_play(0.6, standing=(replace(fit((700.0, 100.0)), base=SQUARE),))


def test_where_no_network_was_asked_all_stay_in_play() -> None:
    bare = Candidate(SQUARE, (300.0, 300.0), FLAT, 0.9)

    assert are_rectangles_in_play([bare], _rounds(5), standing=(), catalogue=EVERY)


def test_doubted_rectangles_stay_candidates_with_less_chance_and_rounds_as_they_were() -> None:
    disc = Candidate(ROUND, (100.0, 100.0), FLAT, 0.9, network_score=NetworkScore(0.9, 0.0))
    square, same = doubt_rectangles([_square(0.9), disc])

    assert square.network_score is not None
    assert 0.4 < square.network_score.p_base < 0.5
    assert same == disc
