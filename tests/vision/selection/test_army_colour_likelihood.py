from collections.abc import Sequence

import pytest

from models.base import RoundBase
from tests.vision import fits, rendered
from vision.measurement.base_fit import BaseFit, RimFeatures, fit_base
from vision.rectification.ground_height import Ground
from vision.selection.army_colour_likelihood import add_colour_log_odds, rim_and_basing_colours
from vision.selection.log_odds import log_odds

EYE = rendered.Eye().around((560.0, 330.0), reach_mm=170.0)
BLACK, RED, CLAY, SAND = (30.0, 30.0, 34.0), (40.0, 46.0, 190.0), (60.0, 90.0, 140.0), (150.0, 190.0, 210.0)
ARMY = [rendered.Base((470.0 + 60 * k, 300.0), 40.0, rim=BLACK, basing=CLAY) for k in range(4)]
ONE_OF_THEM = rendered.Base((500.0, 380.0), 32.0, rim=BLACK, basing=CLAY)
A_STRANGER = rendered.Base((600.0, 380.0), 32.0, rim=RED, basing=SAND)
IMAGE = rendered.photograph(rendered.Scene((*ARMY, ONE_OF_THEM, A_STRANGER), eye=EYE))
DOUBTFUL = RimFeatures(both=0.1, busy=3.0, grain=3.0, around=1.0)


def _fitted(base: rendered.Base) -> BaseFit:
    fit = fit_base(
        IMAGE, start_mm=base.at_mm, base=RoundBase(diameter_mm=base.diameter_mm), ground=Ground(0.0, 0.0),
        camera=EYE.camera(), pose=EYE.pose(),
    )  # fmt: skip
    assert fit is not None
    return fit


def _doubtful(base: rendered.Base) -> BaseFit:
    return fits.fit(base.at_mm, diameter_mm=base.diameter_mm, strength=0.5, support=0.3, features=DOUBTFUL)


def _weighed(fits_: Sequence[BaseFit], army: Sequence[BaseFit]) -> list[float]:
    found = add_colour_log_odds(IMAGE, fits_, army, view=EYE.view())
    return [fit.colour_log_odds for fit in found]


SURE = [_fitted(base) for base in ARMY]


def test_what_looks_like_the_sure_bases_is_likelier_a_base_and_what_does_not_less() -> None:
    like, unlike = _weighed([_doubtful(ONE_OF_THEM), _doubtful(A_STRANGER)], SURE)

    assert like > 0
    assert unlike == pytest.approx(-0.65, abs=0.1)  # four rims say so, but one or two in five are like no other


def test_a_few_bases_speak_less_against_a_stranger_than_many() -> None:
    (few,), (many,) = (_weighed([_doubtful(A_STRANGER)], SURE[:count]) for count in (1, 4))

    assert many < few < 0


def test_where_no_base_is_sure_looks_say_nothing() -> None:
    assert _weighed([_doubtful(ONE_OF_THEM)], [_doubtful(A_STRANGER)]) == [0.0]


def test_a_base_is_not_told_by_its_own_look() -> None:
    (alone,) = _weighed([_doubtful(ARMY[0])], SURE[:1])

    assert alone == 0.0


def test_a_rim_that_speaks_for_itself_is_not_asked_how_it_looks() -> None:
    assert _weighed([_fitted(A_STRANGER)], SURE) == [0.0]


def test_resemblance_counts_among_the_odds() -> None:
    one = _doubtful(ONE_OF_THEM)
    (like,) = add_colour_log_odds(IMAGE, [one], SURE, view=EYE.view())

    assert log_odds(like) == pytest.approx(log_odds(one) + like.colour_log_odds)


def test_a_look_is_that_of_rim_and_basing() -> None:
    red, black = (rim_and_basing_colours(IMAGE, _fitted(base), view=EYE.view()) for base in (A_STRANGER, ARMY[0]))

    assert abs(red[:3] - black[:3]).max() > 20
    assert abs(red[3:] - black[3:]).max() > 20
