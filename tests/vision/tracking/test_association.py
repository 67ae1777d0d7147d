"""Who is who after a change."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.vocabulary import Point
from tests.vision.fits import seen
from vision.state_assembly import MeasuredBase
from vision.tracking.association import SURE, Appearance, Association, Track, associate


def _appearance(grey: float) -> Appearance:
    """Half of the colours are alike in all, so that no two differ by a shadow alone."""
    return np.concatenate([np.full(22, 100.0), np.full(20, 100.0 + (grey - 60) * 42 / 20)])


def _known(
    id_: str, at_mm: Point, grey: float, *, diameter_mm: float = 30.0, away_since_s: float | None = None
) -> Track:
    return Track(id_, seen(at_mm, diameter_mm=diameter_mm), _appearance(grey), away_since_s)


def _new(at_mm: Point, grey: float, *, diameter_mm: float = 30.0) -> tuple[MeasuredBase, Appearance]:
    return seen(at_mm, diameter_mm=diameter_mm), _appearance(grey)


def _doubted(association: Association) -> set[str | None]:
    return {
        id_ for ambiguity in association.ambiguities for hypothesis in ambiguity.hypotheses for id_ in hypothesis.ids
    }


def test_what_was_moved_alone_keeps_its_name() -> None:
    association = associate([_known("m1", (100, 100), 50)], [_new((400, 300), 52)])

    assert association.ids == ("m1",)
    assert association.ambiguities == ()


def test_a_miniature_never_takes_a_base_of_another_size() -> None:
    known = [_known("m1", (100, 100), 50), _known("m2", (200, 100), 200, diameter_mm=40)]
    association = associate(known, [_new((110, 110), 50, diameter_mm=40), _new((205, 105), 200)])

    assert association.ids == (None, None)


def test_looks_tell_two_apart_that_changed_places() -> None:
    known = [_known("red", (100, 100), 60), _known("white", (300, 100), 180)]
    association = associate(known, [_new((300, 100), 62), _new((100, 100), 178)])

    assert association.ids == ("red", "white")
    assert association.ambiguities == ()


def test_look_alikes_that_changed_together_are_in_doubt_both_ways() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (140, 100), 60)]
    (ambiguity,) = associate(known, [_new((300, 300), 60), _new((340, 300), 61)]).ambiguities

    assert sorted(hypothesis.ids for hypothesis in ambiguity.hypotheses) == [("a", "b"), ("b", "a")]
    assert sum(hypothesis.probability for hypothesis in ambiguity.hypotheses) == pytest.approx(1)


def test_of_look_alikes_the_one_that_stayed_keeps_its_name() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (140, 100), 60)]
    association = associate(known, [_new((300, 300), 60), _new((101, 100), 61)])

    assert association.ids == ("b", "a")
    assert association.ambiguities == ()


def test_of_look_alikes_in_doubt_each_gets_the_nearer_place() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (400, 100), 60)]

    assert associate(known, [_new((410, 150), 60), _new((110, 150), 60)]).ids == ("b", "a")


def test_when_one_of_two_look_alikes_left_and_the_other_moved_either_may_be_left() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (140, 100), 60)]
    (ambiguity,) = associate(known, [_new((300, 300), 60)]).ambiguities

    assert {hypothesis.ids for hypothesis in ambiguity.hypotheses} == {("a",), ("b",)}


def test_look_alikes_that_both_were_pushed_a_little_may_have_changed_places() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (145, 100), 60)]
    association = associate(known, [_new((107, 100), 60), _new((140, 105), 60)])

    assert association.ids == ("a", "b")
    assert _doubted(association) == {"a", "b"}


def test_look_alikes_that_stand_where_they_stood_are_who_they_were() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (145, 100), 60)]

    assert associate(known, [_new((100.5, 100), 60), _new((145, 100.4), 60)]).ambiguities == ()


def test_whoever_was_seen_elsewhere_meanwhile_is_excluded() -> None:
    known = [_known("a", (100, 100), 60), _known("b", (140, 100), 60)]
    excluded = np.array([[False, False], [True, False]])
    association = associate(known, [_new((300, 300), 60), _new((340, 300), 61)], excluded=excluded)

    assert association.ids == ("a", "b")
    assert association.ambiguities == ()


def test_whoever_left_and_looks_like_what_came_is_back() -> None:
    known = [_known("gone", (100, 100), 60, away_since_s=3.0)]
    association = associate(known, [_new((300, 300), 62)])

    assert association.ids == ("gone",)
    assert association.ambiguities == ()


def test_whoever_left_and_looks_otherwise_stays_away() -> None:
    assert associate([_known("gone", (100, 100), 60, away_since_s=3.0)], [_new((300, 300), 160)]).ids == (None,)


def test_of_two_look_alikes_that_left_either_may_be_back() -> None:
    known = [_known(name, (100, 100), 60, away_since_s=3.0) for name in ("a", "b")]

    assert _doubted(associate(known, [_new((300, 300), 62)])) == {"a", "b"}


def test_a_large_group_of_look_alikes_is_in_doubt_as_a_whole() -> None:
    known = [_known(f"m{k}", (60.0 * k, 80), 60) for k in range(6)]
    found = [_new((60.0 * k + 200, 290), 60) for k in range(6)]

    assert _doubted(associate(known, found)) == {f"m{k}" for k in range(6)}


def test_no_name_is_given_twice() -> None:
    known = [_known("a", (100, 100), 60)]

    assert sorted(associate(known, [_new((100, 100), 60), _new((140, 100), 60)]).ids, key=str) == [None, "a"]


def test_the_order_in_which_bases_were_found_does_not_matter() -> None:
    known = [_known(f"m{k}", (60.0 * k, 80), 40.0 + 19 * k) for k in range(5)]
    found = [_new((60.0 * k + 200, 190), 41.0 + 19 * k) for k in range(5)]
    turned = associate(known, found[::-1]).ids

    assert turned[::-1] == associate(known, found).ids == ("m0", "m1", "m2", "m3", "m4")


PLACED = st.tuples(st.floats(0, 600), st.floats(0, 400), st.integers(0, 60))


@given(known=st.lists(PLACED, max_size=3), found=st.lists(PLACED, min_size=1, max_size=3))
def test_the_naming_that_is_told_is_the_likeliest_and_probabilities_are_shares(
    known: list[tuple[float, float, int]], found: list[tuple[float, float, int]]
) -> None:
    """Every hypothesis counted by its cost, worked out here a second time."""
    association = associate(
        [_known(str(k), (x, y), grey) for k, (x, y, grey) in enumerate(known)],
        [_new((x, y), grey) for x, y, grey in found],
    )
    ways = [
        tuple(row if row < len(known) else None for row in hypothesis)
        for hypothesis in permutations(range(len(known) + len(found)), len(found))
    ]
    least = min(_paid(hypothesis, known, found) for hypothesis in ways)
    told = tuple(None if id_ is None else int(id_) for id_ in association.ids)

    assert _paid(told, known, found) == pytest.approx(least, abs=1e-6)
    assert all(0 < share <= 1 + 1e-9 for share in association.probabilities)
    assert (min(association.probabilities) < SURE) == bool(association.ambiguities)


def _paid(
    hypothesis: tuple[int | None, ...], known: list[tuple[float, float, int]], found: list[tuple[float, float, int]]
) -> float:
    """New: 8; gone: 3; the same: by look and place."""
    gone = 3.0 * (len(known) - sum(row is not None for row in hypothesis))
    return gone + sum(8.0 if row is None else _same(known[row], found[k]) for k, row in enumerate(hypothesis))


def _same(old: tuple[float, float, int], new: tuple[float, float, int]) -> float:
    far_mm, unlikely = math.dist(old[:2], new[:2]), 3 * math.log(1 + (old[2] - new[2]) ** 2 / (6 * 3.2**2))
    if far_mm < 1.5:
        return min(unlikely, 12.0) - 6.0
    return unlikely + (-1.0 if far_mm < 12 else 0.3) + 0.0015 * far_mm


def test_nothing_known_and_nothing_found_match() -> None:
    assert associate([], []).ids == ()
    assert associate([], [_new((100, 100), 60)]).ids == (None,)
    assert associate([_known("a", (100, 100), 60)], []).ids == ()
