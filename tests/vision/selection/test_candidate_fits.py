"""Which candidates are fitted; those that are fitted at once give what one after the other would."""

from dataclasses import replace

import numpy as np
import pytest

from models.base import RoundBase
from tests.vision import fits, rendered
from vision.candidates import Candidate, NetworkScore
from vision.measurement.base_fit import BaseFit
from vision.measurement.fit_settings import MIN_SCORE
from vision.rectification.ground_height import Ground
from vision.selection import candidate_fits
from vision.selection.candidate_fits import excludes, fit_candidates, is_other_object, min_score_of

EYE = rendered.Eye()
NOTHING = np.zeros((4, 4, 3), np.uint8)


def _candidates(seed: int) -> tuple[Candidate, ...]:
    random = np.random.default_rng(seed)
    return tuple(
        Candidate(
            RoundBase(diameter_mm=float(random.choice([30.0, 50.0]))), (float(x), float(y)), Ground(0.0, 0.0), 0.5,
            network_score=NetworkScore(0.9, 0.0),
        )
        for x, y in random.uniform(0, 150, (60, 2)).round(2)
    )  # fmt: skip


def _fit(at_mm: tuple[float, float], base: RoundBase) -> BaseFit | None:
    """Of every seven places one is none, and a few are sure."""
    kind = int(at_mm[0] * 100) % 7
    return None if kind == 0 else fits.fit(at_mm, diameter_mm=base.diameter_mm, strength=0.9 if kind > 4 else 0.5)


def _one_after_the_other(candidates: tuple[Candidate, ...]) -> list[tuple[float, float]]:
    found: list[BaseFit] = []
    for one in candidates:
        if not any(excludes(fit, one) for fit in found):
            fit = _fit(one.at_mm, one.base) if isinstance(one.base, RoundBase) else None
            found += [replace(fit, network_score=one.network_score)] if fit is not None else []
    return [fit.at_mm for fit in found]


@pytest.mark.parametrize("seed", range(20))
def test_what_proves_to_have_no_room_is_left_out(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_fits, "fit_base", lambda _, *, start_mm, base, **__: _fit(start_mm, base))
    candidates = _candidates(seed)
    found = fit_candidates(NOTHING, candidates, view=EYE.view())

    assert [fit.at_mm for fit in found] == _one_after_the_other(candidates)
    assert len(found) < len(candidates)


@pytest.mark.parametrize(
    ("score", "is_more"), [(None, False), (NetworkScore(0.3, 0.0), False), (NetworkScore(0.0, 0.9), True)]
)
def test_where_the_network_sees_no_such_base_more_of_a_rim_must_show(
    score: NetworkScore | None, *, is_more: bool
) -> None:
    candidate = Candidate(RoundBase(diameter_mm=30), (100.0, 100.0), Ground(0.0, 0.0), 0.3, network_score=score)

    assert (min_score_of(candidate) > MIN_SCORE) == is_more


@pytest.mark.parametrize(
    ("score", "is_left_out"),
    [(None, False), (NetworkScore(0.0, 0.3), False), (NetworkScore(0.2, 0.9), False), (NetworkScore(0.0, 0.9), True)],
)
def test_no_rim_is_sought_where_the_network_is_sure_of_something_else_and_sees_no_such_base(
    score: NetworkScore | None, *, is_left_out: bool
) -> None:
    candidate = Candidate(RoundBase(diameter_mm=30), (100.0, 100.0), Ground(0.0, 0.0), 0.3, network_score=score)

    assert is_other_object(candidate) == is_left_out
