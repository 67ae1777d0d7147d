"""Sizes in play: every size on sale, those of the edition likelier than others."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.base import Base, Catalogue, RoundBase, catalogue_of
from models.vocabulary import EditionId, Point
from models.written_book import catalogue_in_play
from tests.vision import rendered
from tests.vision.fits import fit
from vision.candidates import Candidate
from vision.facing.facing_estimate import facing_of_outline
from vision.measurement.base_fit import BaseFit
from vision.rectification.ground_height import FLAT
from vision.selection.shared_rim_profile import SizeReadings
from vision.selection.size_posterior import infer_sizes
from vision.state_assembly import MeasuredBase, state_of

ODD, USUAL, LIKE_IT = (RoundBase(diameter_mm=size) for size in (45.0, 30.0, 32.0))
PRIME = catalogue_in_play("warmachine-prime", None)
EYE = rendered.Eye()


@pytest.mark.parametrize("edition", ["warmachine-prime", "warhammer-9", "open"])
def test_every_size_on_sale_is_in_play_whatever_the_edition(edition: EditionId) -> None:
    assert set(catalogue_in_play(edition, None).bases) == set(catalogue_of().bases)


def test_sizes_of_the_edition_are_likelier_and_without_one_all_are_alike() -> None:
    none, sizes = catalogue_in_play("open", None), (USUAL, LIKE_IT)

    assert PRIME.log_prior(USUAL) > PRIME.log_prior(LIKE_IT)
    assert [none.log_prior(size) for size in sizes] == [0.0, 0.0]


def test_a_size_that_stands_on_the_table_is_usual_from_then_on() -> None:
    told = PRIME.with_usual((ODD,))

    assert told.log_prior(ODD) == PRIME.log_prior(USUAL)
    assert set(told.bases) == {*PRIME.bases, ODD}


def test_while_listed_bases_are_missing_a_size_that_no_list_names_is_unlikely() -> None:
    missing, complete = (catalogue_of().log_priors({USUAL: seen}, {USUAL: 2}) for seen in (0, 2))

    assert missing[LIKE_IT] < missing[USUAL] - 3.0
    assert missing[LIKE_IT] < complete[LIKE_IT]


def test_what_is_measured_by_sizes_knows_the_usual_ones_alone() -> None:
    assert PRIME.narrowed() == catalogue_of(("warmachine-prime",))
    assert catalogue_of().narrowed() == Catalogue(bases=catalogue_of().bases)


def _told(shares: dict[Base, float], at_mm: Point = (100.0, 100.0)) -> tuple[Candidate, ...]:
    return tuple(Candidate(base, at_mm, FLAT, 0.9, size_share=share) for base, share in shares.items())


def _inferred(fits: Sequence[BaseFit], told: Sequence[Candidate], **other: Any) -> tuple[BaseFit, ...]:
    dark = np.zeros((8, 8, 3), np.uint8)
    return infer_sizes(dark, [SizeReadings(one) for one in fits], told, fits, view=EYE.view(), **other)


PLACES: tuple[Point, ...] = tuple((60.0 + 70 * k, 100.0) for k in range(5))


def test_a_table_has_few_sizes_so_that_all_bases_together_tell_the_size_of_each() -> None:
    """One alone looks rather like 30 mm; the others do not."""
    shares = [{USUAL: 0.6, LIKE_IT: 0.3}, *[{USUAL: 0.3, LIKE_IT: 0.6}] * 4]
    told = [one for at_mm, share in zip(PLACES, shares, strict=True) for one in _told(share, at_mm)]
    rimless = [fit(at_mm, support=0.0) for at_mm in PLACES]

    assert {one.base for one in _inferred(rimless, told)} == {LIKE_IT}
    assert _inferred(rimless[:1], told)[0].base == USUAL


def test_where_pixels_leave_it_open_the_usual_size_is_told_and_where_they_do_not_the_other() -> None:
    shares = [{USUAL: 0.45, LIKE_IT: 0.55}, {USUAL: 0.001, LIKE_IT: 0.999}]
    told = [replace(one, log_prior=PRIME.log_prior(one.base)) for share in shares for one in _told(share)]

    assert _inferred([fit(support=0.0)], told[:2])[0].base == USUAL
    assert _inferred([fit(support=0.0)], told[2:])[0].base == LIKE_IT


@pytest.mark.parametrize(("usual", "other", "told"), [(0.42, 0.58, USUAL), (0.1, 0.9, LIKE_IT)])
def test_a_size_that_the_edition_lacks_is_told_where_all_bases_together_say_so(
    usual: float, other: float, told: RoundBase
) -> None:
    shares: dict[Base, float] = {USUAL: usual, LIKE_IT: other}
    candidates = [replace(one, log_prior=PRIME.log_prior(one.base)) for at_mm in PLACES for one in _told(shares, at_mm)]

    assert {one.base for one in _inferred([fit(at_mm, support=0.0) for at_mm in PLACES], candidates)} == {told}


def test_sizes_of_bases_that_stand_elsewhere_count() -> None:
    told, others = _told({USUAL: 0.55, LIKE_IT: 0.45}), [fit(at_mm, diameter_mm=32.0) for at_mm in PLACES]
    (one,) = _inferred([fit(support=0.0)], told, known_fits=others)

    assert one.base == LIKE_IT


def test_what_a_rim_says_outweighs_what_the_networks_say() -> None:
    told = _told({USUAL: 0.45, LIKE_IT: 0.55})
    fits = fit(strength=0.9), fit(diameter_mm=32.0, strength=0.7)
    dark = np.zeros((8, 8, 3), np.uint8)
    (one,) = infer_sizes(dark, [SizeReadings(fits[0])], told, fits, view=EYE.view())

    assert one.base == USUAL
    assert dict(one.size_shares)[USUAL] > 0.8


def _sized(shares: dict[Base, float]) -> MeasuredBase:
    (one,) = _inferred([fit()], _told(shares))
    return MeasuredBase(one, facing_of_outline(one))


def _state_of(*seen: MeasuredBase) -> tuple[tuple[Base, ...], float]:
    """The alternatives of the first, and its variance along x."""
    state = state_of({f"m{k}": one for k, one in enumerate(seen)}, view=EYE.view(), edition="open")  # fmt: skip
    first = state.miniatures[0]
    return tuple(one.base for one in first.base_alternatives), first.covariance()[0][0]


def test_a_size_that_the_picture_leaves_open_is_told_with_its_alternatives() -> None:
    alternatives, _ = _state_of(_sized({USUAL: 0.6, LIKE_IT: 0.4}))

    assert alternatives == (USUAL, LIKE_IT)


def test_of_a_sure_size_no_alternatives_are_told() -> None:
    assert _state_of(_sized({USUAL: 0.999, LIKE_IT: 0.001}))[0] == ()
    assert _state_of(MeasuredBase(fit(), None))[0] == ()


def test_a_size_in_doubt_widens_the_place_of_the_rim() -> None:
    """The gap to a neighbour is as much in doubt as the radius."""
    _, sure = _state_of(_sized({USUAL: 1.0}))
    (one,) = _inferred([fit()], _told({USUAL: 0.55, LIKE_IT: 0.45}))
    _, open_ = _state_of(MeasuredBase(one, None))
    share = dict(one.size_shares)[LIKE_IT]

    assert np.isclose(open_ - sure, share * 1.0**2, atol=1e-5)
