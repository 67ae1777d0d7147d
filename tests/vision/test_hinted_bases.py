"""Hints of persons become part of what a picture shows."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calibration.arrays import Image
from calibration.view import View
from models.base import Base, OvalBase, RectBase, RoundBase, catalogue_of
from models.errors import BadInput
from models.hint import FINGER_MM, LOUPE_MM, Hint
from models.vocabulary import Point
from tests.vision import rendered
from vision.hinted_bases import apply_hints, check_apart, place_hints, say_by_hand
from vision.locate import settle_sizes
from vision.measurement.base_distance import is_inside
from vision.measurement.base_fit import BaseFit, fit_base
from vision.prompted_fit import sides_mm
from vision.rectification.ground_height import FLAT
from vision.selection.non_maximum_suppression import do_overlap
from vision.state_assembly import MeasuredBase, assign_ids, state_of

EYE = rendered.Eye(focal_px=1300.0, size_px=(1248, 936), middle_px=(630.0, 460.0))
SEEN = rendered.Base((150.0, 250.0), 40.0, seed=2)
LARGE = rendered.Base((420.0, 170.0), 120.0, paint=rendered.WHITE, seed=5)
BARE_MM = (290.0, 330.0)  # nothing stands there
_SMALLEST_MM = 10.0  # radius of a base of no told size
VIEW, CATALOGUE = View(EYE.camera(), EYE.pose(), rendered.layout()), catalogue_of()


@pytest.fixture(scope="module")
def picture() -> Image:
    return rendered.photograph(rendered.Scene((SEEN, LARGE), eye=EYE))


@pytest.fixture(scope="module")
def fitted(picture: Image) -> MeasuredBase:
    """The small base as the product measures it."""
    fit = fit_base(
        picture, start_mm=SEEN.at_mm, base=RoundBase(diameter_mm=40), ground=FLAT, camera=VIEW.camera, pose=VIEW.pose
    )  # fmt: skip
    assert fit is not None
    return MeasuredBase(fit, None)


def _told(picture: Image, *hints: Hint, bases: tuple[MeasuredBase, ...] = ()) -> tuple[MeasuredBase, ...]:
    prompts = place_hints(hints, view=VIEW)
    return apply_hints(
        picture, bases, hints, prompts, candidates=(), catalogue=CATALOGUE, view=VIEW
    )  # fmt: skip


@pytest.mark.parametrize("base", [SEEN, LARGE], ids=["40", "120"])
def test_a_missed_base_is_measured_where_a_finger_points(picture: Image, base: rendered.Base) -> None:
    x, y = base.at_mm
    (found,) = _told(picture, Hint(at_mm=(x + 4.0, y - 3.0)))
    assert found.placement == "measured"
    assert found.fit.base == RoundBase(diameter_mm=base.diameter_mm)
    assert math.dist(found.fit.at_mm, base.at_mm) < 0.5


def test_every_size_that_was_tried_has_its_share(picture: Image) -> None:
    (found,) = _told(picture, Hint(at_mm=SEEN.at_mm))
    assert sum(share for _, share in found.fit.size_shares) == pytest.approx(1.0)
    assert {base for base, _ in found.fit.size_shares} <= set(CATALOGUE.bases)


@pytest.mark.parametrize(("expected_mm", "is_settled"), [((40,), True), ((50,), False), ((40, 40), False), ((), False)])
def test_sizes_are_settled_where_as_many_stand_as_the_lists_name(
    fitted: MeasuredBase, expected_mm: tuple[int, ...], is_settled: bool
) -> None:
    shares = tuple((RoundBase(diameter_mm=mm), 0.5) for mm in (40, 50))
    (settled,) = settle_sizes(
        (replace(fitted, fit=replace(fitted.fit, size_shares=shares)),),
        Counter(RoundBase(diameter_mm=mm) for mm in expected_mm),
    )
    assert (settled.fit.size_shares == ()) == is_settled


def test_a_base_that_nothing_shows_stands_where_the_finger_points_with_its_doubt(picture: Image) -> None:
    (placed,) = _told(picture, Hint(at_mm=BARE_MM, base=RoundBase(diameter_mm=30)))
    assert placed.placement == "by-hand"
    assert placed.fit.at_mm == BARE_MM
    assert math.sqrt(placed.fit.covariance_mm2[0, 0]) >= FINGER_MM


def test_a_pixel_and_a_place_that_it_shows_are_one_hint(picture: Image) -> None:
    (pixel,) = VIEW.project([[*SEEN.at_mm, 0.0]]).tolist()
    (by_px,), (by_mm,) = _told(picture, Hint(at_px=tuple(pixel))), _told(picture, Hint(at_mm=SEEN.at_mm))
    assert by_px.fit.at_mm == pytest.approx(by_mm.fit.at_mm, abs=1e-3)


def test_a_measured_base_that_is_pointed_at_stays_as_it_was_measured(picture: Image, fitted: MeasuredBase) -> None:
    (confirmed,) = _told(picture, Hint(at_mm=(SEEN.at_mm[0] + 3, SEEN.at_mm[1])), bases=(fitted,))
    assert (confirmed.fit, confirmed.placement) == (fitted.fit, "measured")


def test_a_base_of_a_wrong_size_is_measured_again_with_the_told_one(picture: Image, fitted: MeasuredBase) -> None:
    size = RoundBase(diameter_mm=50)
    (again,) = _told(picture, Hint(at_mm=SEEN.at_mm, base=size), bases=(fitted,))
    assert again.fit.base == size


def test_a_denied_place_holds_no_base(picture: Image, fitted: MeasuredBase) -> None:
    assert _told(picture, Hint(at_mm=(SEEN.at_mm[0] + 15, SEEN.at_mm[1]), is_base=False), bases=(fitted,)) == ()


def test_a_told_base_takes_the_room_of_what_was_measured_under_it(picture: Image, fitted: MeasuredBase) -> None:
    oval = OvalBase(width_mm=52, depth_mm=90)
    told = _told(picture, Hint(at_mm=(SEEN.at_mm[0] + 18, SEEN.at_mm[1]), base=oval), bases=(fitted,))
    assert [one.fit.base for one in told] == [oval]


def test_a_base_of_no_told_size_stands_beside_what_was_measured(picture: Image, fitted: MeasuredBase) -> None:
    beside_mm = (SEEN.at_mm[0] + 32, SEEN.at_mm[1])
    told = _told(picture, Hint(at_mm=beside_mm), bases=(fitted,))
    assert len(told) == 2
    assert fitted in told


def test_a_base_that_the_picture_cuts_off_is_placed_by_hand() -> None:
    part = EYE.around((100.0, 100.0), reach_mm=60.0)
    view = View(part.camera(), part.pose(), rendered.layout())
    image = np.full((part.size_px[1], part.size_px[0], 3), 90, np.uint8)
    hints = [
        Hint(at_mm=(500.0, 350.0), base=base)
        for base in (RectBase(width_mm=25, depth_mm=50), RoundBase(diameter_mm=30))
    ]
    prompts = place_hints(hints, view=view)
    told = apply_hints(image, (), hints, prompts, candidates=(), catalogue=CATALOGUE, view=view)
    assert [one.placement for one in told] == ["by-hand", "by-hand"]


def _sizes() -> st.SearchStrategy[Base | None]:
    return st.sampled_from(
        [None, RoundBase(diameter_mm=32), OvalBase(width_mm=42, depth_mm=75), RectBase(width_mm=25, depth_mm=50)]
    )


def _places() -> st.SearchStrategy[Point]:
    return st.tuples(st.floats(0.0, rendered.TABLE_MM[0]), st.floats(0.0, rendered.TABLE_MM[1]))


@settings(max_examples=12)
@given(said=st.lists(st.tuples(_places(), st.booleans(), _sizes()), min_size=1, max_size=3))
def test_each_told_place_holds_its_base_and_no_denied_one_does(
    picture: Image, fitted: MeasuredBase, said: list[tuple[Point, bool, Base | None]]
) -> None:
    hints = [Hint(at_mm=at, is_base=is_base, base=base if is_base else None) for at, is_base, base in said]
    assume(_are_apart(hints))
    bases = _told(picture, *hints, bases=(fitted,))
    sizes = [hint.base for hint in hints if hint.is_base]
    confirmed = [one for one in bases if one.placement is not None]
    assert len(confirmed) == len(sizes)
    assert all(size in (None, one.fit.base) for size, one in zip(sizes, confirmed, strict=True))
    assert all(np.isfinite(one.fit.covariance_mm2).all() for one in confirmed)
    rest = [one.fit for one in bases if one.placement is None]
    assert not any(is_inside(hint.at_mm, fit) for hint in hints if not hint.is_base and hint.at_mm for fit in rest)


def _are_apart(hints: list[Hint]) -> bool:
    try:
        check_apart(hints, place_hints(hints, view=VIEW))
    except BadInput:
        return False
    return True


@given(
    sizes=st.tuples(_sizes(), _sizes()), apart_mm=st.floats(0.0, 80.0), sigma_mm=st.sampled_from([0.5, LOUPE_MM, 4.0])
)
def test_two_hints_are_refused_only_where_two_bases_cannot_stand(
    sizes: tuple[Base | None, Base | None], apart_mm: float, sigma_mm: float
) -> None:
    first, second = (
        Hint(at_mm=at_mm, base=base, sigma_mm=sigma_mm)
        for base, at_mm in zip(sizes, [BARE_MM, (BARE_MM[0] + apart_mm, BARE_MM[1])], strict=True)
    )
    radii = sum(_SMALLEST_MM if base is None else min(sides_mm(base)) / 2 for base in sizes)
    are_apart = _are_apart([first, second])

    assert are_apart == _are_apart([second, first])
    assert are_apart or apart_mm < max(0.5, radii)
    assert not are_apart or apart_mm >= min(0.5, radii)
    assert _are_apart([first, Hint(at_mm=BARE_MM, is_base=False)])


def test_a_base_upon_a_base_is_named_with_the_hint_that_is_there() -> None:
    hints = [Hint(at_mm=SEEN.at_mm, is_base=False), Hint(at_mm=BARE_MM), Hint(at_mm=BARE_MM)]
    with pytest.raises(BadInput, match=r"2\.at_mm: 0\.0 mm from here hint 1 tells a base") as refused:
        check_apart(hints, place_hints(hints, view=VIEW))
    assert (refused.value.field, refused.value.value) == ("2.at_mm", list(BARE_MM))


@settings(max_examples=20)
@given(
    direction=st.floats(0.0, math.tau),
    gap_mm=st.floats(0.0, 4.0),
    onto=st.floats(-0.5, 2.0),
    size=_sizes().filter(lambda base: base is not None),
)
def test_a_told_base_removes_none_that_the_picture_explains_and_that_leaves_it_room(
    picture: Image, fitted: MeasuredBase, direction: float, gap_mm: float, onto: float, size: Base
) -> None:
    """A finger that means a place beside it may slip onto it, so many sigmas far."""
    away_mm = 20.0 + max(sides_mm(size)) / 2 + gap_mm - onto * FINGER_MM
    x, y = SEEN.at_mm
    at_mm = (x + away_mm * math.cos(direction), y + away_mm * math.sin(direction))
    told, *kept = _told(picture, Hint(at_mm=at_mm, base=size), bases=(fitted,))

    assert kept == [fitted]
    assert not do_overlap(told.fit, fitted.fit)
    assert math.dist(told.fit.at_mm, at_mm) < 3.5 * FINGER_MM * math.hypot(1.0, 0.01 * max(sides_mm(size)))


def test_what_only_the_hand_knows_is_said_with_its_place(picture: Image) -> None:
    bases = _told(picture, Hint(at_mm=BARE_MM, base=RoundBase(diameter_mm=30)), Hint(at_mm=SEEN.at_mm))
    (says,) = say_by_hand(state_of(assign_ids(bases), view=VIEW, edition="warmachine-prime"))

    assert says.endswith("stands there by hand: 290, 330 mm +- 4.2")


@pytest.mark.parametrize(
    ("hint", "field"),
    [
        (Hint(at_mm=(-13.0, 20.0)), "1.at_mm"),
        (Hint(at_mm=(20.0, 412.5)), "1.at_mm"),
        (Hint(at_px=(5000.0, 20.0)), "1.at_px"),
    ],
)
def test_a_hint_off_the_table_or_the_picture_is_named(hint: Hint, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        place_hints([Hint(at_mm=SEEN.at_mm), hint], view=VIEW)
    assert refused.value.field == field


def test_a_told_base_beside_a_measured_one_leaves_it_standing(picture: Image, fitted: MeasuredBase) -> None:
    x, y = SEEN.at_mm
    beside, kept = _told(picture, Hint(at_mm=(x + 41.0, y), base=RoundBase(diameter_mm=40)), bases=(fitted,))

    assert kept == fitted
    assert math.dist(beside.fit.at_mm, (x + 41.0, y)) < 12.0


def test_a_place_beside_the_edge_counts_as_on_it() -> None:
    (placed,) = place_hints([Hint(at_mm=(20.0, -5.0))], view=VIEW)
    assert placed.at_mm == (20.0, -5.0)


def test_a_place_counts_as_inside_up_to_the_outline(fitted: MeasuredBase) -> None:
    fit: BaseFit = fitted.fit
    x, y = fit.at_mm
    assert is_inside((x + 19.9, y), fit)
    assert not is_inside((x + 20.1, y), fit)
