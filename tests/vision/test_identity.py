"""Who is who after a change."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.words import Point
from tests.vision.fits import seen
from vision.identity import Known, matched
from vision.locating import SeenBase
from vision.look import Look


def _look(grey: float) -> Look:
    return np.full((6, 6), grey)


def _known(id_: str, at_mm: Point, grey: float, *, diameter_mm: float = 30.0) -> Known:
    return Known(id_, seen(at_mm, diameter_mm=diameter_mm), _look(grey))


def _new(at_mm: Point, grey: float, *, diameter_mm: float = 30.0) -> tuple[SeenBase, Look]:
    return seen(at_mm, diameter_mm=diameter_mm), _look(grey)


def test_what_was_moved_alone_keeps_its_name() -> None:
    matching = matched([_known("m1", (100, 100), 50)], [_new((400, 300), 52)])

    assert matching.ids == ("m1",)
    assert matching.unsure == ()


def test_a_miniature_never_takes_a_base_of_another_size() -> None:
    known = [_known("m1", (100, 100), 50), _known("m2", (200, 100), 200, diameter_mm=40)]
    matching = matched(known, [_new((110, 110), 50, diameter_mm=40), _new((205, 105), 200)])

    assert matching.ids == ("m2", "m1")


def test_a_base_of_a_size_that_nobody_had_is_new() -> None:
    assert matched([_known("m1", (100, 100), 50)], [_new((100, 100), 50, diameter_mm=120)]).ids == (None,)


def test_looks_tell_two_apart_that_changed_places() -> None:
    known = [_known("red", (100, 100), 60), _known("white", (300, 100), 180)]
    matching = matched(known, [_new((300, 100), 62), _new((100, 100), 178)])

    assert matching.ids == ("red", "white")
    assert matching.unsure == ()


def test_look_alikes_that_changed_together_are_unsure() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (140, 100), 60)]
    matching = matched(known, [_new((300, 300), 60), _new((340, 300), 61)])

    assert matching.unsure == ("a", "b")


def test_of_look_alikes_the_one_that_stayed_keeps_its_name() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (140, 100), 60)]
    matching = matched(known, [_new((300, 300), 60), _new((101, 100), 61)])

    assert matching.ids == ("b", "a")
    assert matching.unsure == ()


def test_of_look_alikes_in_doubt_each_gets_the_nearer_place() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (400, 100), 60)]

    assert matched(known, [_new((410, 150), 60), _new((110, 150), 60)]).ids == ("b", "a")


def test_no_name_is_given_twice() -> None:
    known = [_known("a", (100, 100), 60)]

    assert sorted(matched(known, [_new((100, 100), 60), _new((140, 100), 60)]).ids, key=str) == [None, "a"]


def test_what_is_gone_gives_its_name_to_nobody_unlike_in_size() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (200, 100), 90, diameter_mm=50)]

    assert matched(known, [_new((100, 101), 60)]).ids == ("a",)


def test_the_order_in_which_bases_were_found_does_not_matter() -> None:
    known = [_known(f"m{k}", (60.0 * k, 80), 40.0 + 9 * k) for k in range(5)]
    found = [_new((60.0 * k + 200, 190), 41.0 + 9 * k) for k in range(5)]
    turned = matched(known, found[::-1]).ids

    assert turned[::-1] == matched(known, found).ids == ("m0", "m1", "m2", "m3", "m4")


PLACED = st.tuples(st.floats(0, 600), st.floats(0, 400), st.integers(0, 255))


@given(known=st.lists(PLACED, max_size=4), found=st.lists(PLACED, max_size=4))
def test_no_other_way_to_give_the_names_is_cheaper(
    known: list[tuple[float, float, int]], found: list[tuple[float, float, int]]
) -> None:
    """All ways, counted. A name costs how unlike the two look, and a hundredth of a grey level a millimetre."""
    cost = np.array([[_cost(a, b) for b in found] for a in known]).reshape(len(known), len(found))
    ids = matched(
        [_known(str(k), (x, y), grey) for k, (x, y, grey) in enumerate(known)],
        [_new((x, y), grey) for x, y, grey in found],
    ).ids
    paid = sum(cost[int(id_), k] for k, id_ in enumerate(ids) if id_ is not None)

    assert sum(id_ is not None for id_ in ids) == min(cost.shape)
    assert paid == pytest.approx(_cheapest(cost), abs=1e-6)


def _cost(old: tuple[float, float, int], new: tuple[float, float, int]) -> float:
    far_mm, unlike = math.dist(old[:2], new[:2]), abs(old[2] - new[2])
    return unlike + 0.01 * far_mm - (1000 if far_mm < 6 and unlike < 40 else 0)


def _cheapest(cost: NDArray[np.float64]) -> float:
    rows, columns = cost.shape
    if rows > columns:
        return _cheapest(cost.T)
    ways = permutations(range(columns), rows)
    return min(float(sum(cost[i, j] for i, j in enumerate(way))) for way in ways)


def test_nothing_known_and_nothing_found_match() -> None:
    assert matched([], []).ids == ()
    assert matched([], [_new((100, 100), 60)]).ids == (None,)
    assert matched([_known("a", (100, 100), 60)], []).ids == ()
