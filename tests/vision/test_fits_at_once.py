"""Candidates that are fitted at once give what one after the other would."""

from dataclasses import replace

import numpy as np
import pytest

from models.base import RoundBase
from tests.vision import fits, rendered
from vision import locating
from vision.candidates import Candidate, Ground, Opinion
from vision.fit import RimFit
from vision.selecting import leaves_no_room

EYE = rendered.Eye()
NOTHING = np.zeros((4, 4, 3), np.uint8)


def _candidates(seed: int) -> tuple[Candidate, ...]:
    random = np.random.default_rng(seed)
    return tuple(
        Candidate(
            RoundBase(diameter_mm=float(random.choice([30.0, 50.0]))), (float(x), float(y)), Ground(0.0, 0.0), 0.5,
            opinion=Opinion(0.9, 0.0),
        )
        for x, y in random.uniform(0, 150, (60, 2)).round(2)
    )  # fmt: skip


def _fit(at_mm: tuple[float, float], base: RoundBase) -> RimFit | None:
    """Of every seven places one is none, and a few are sure."""
    kind = int(at_mm[0] * 100) % 7
    return None if kind == 0 else fits.fit(at_mm, diameter_mm=base.diameter_mm, strength=0.9 if kind > 4 else 0.5)


def _one_after_the_other(candidates: tuple[Candidate, ...]) -> list[tuple[float, float]]:
    found: list[RimFit] = []
    for one in candidates:
        if not any(leaves_no_room(fit, one) for fit in found):
            fit = _fit(one.at_mm, one.base) if isinstance(one.base, RoundBase) else None
            found += [replace(fit, opinion=one.opinion)] if fit is not None else []
    return [fit.at_mm for fit in found]


@pytest.mark.parametrize("seed", range(20))
def test_what_proves_to_have_no_room_is_left_out(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locating, "fit_rim", lambda _, *, start_mm, base, **__: _fit(start_mm, base))
    candidates = _candidates(seed)
    found = locating.fits_of(NOTHING, candidates, camera=EYE.camera(), pose=EYE.pose())

    assert [fit.at_mm for fit in found] == _one_after_the_other(candidates)
    assert len(found) < len(candidates)
