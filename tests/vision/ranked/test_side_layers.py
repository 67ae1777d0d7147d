"""The layers of colour by which the sides of a block are explained."""

import weakref
from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Floats
from tests.vision.oracles.sides import fit_layers_numpy, misfit, shared_colours
from vision.ranked import side_layers
from vision.ranked.side_layers import RELATIVE_MM, SHIFTS_MM, WIDTHS_MM, SideKind, fit_layers, layer_plan

KIND = SideKind.of(0.0, 0.4, is_inner=True)
COLOURS = np.array([[40.0, 20.0, -10.0], [-90.0, -80.0, -60.0], [0.0, 0.0, 0.0]])  # of basing, rim and paint
IN_THE_GAP = np.array([[30.0, 25.0, 40.0]])  # more than the rims beside it
LAYERS = KIND.layers(np.array(1.0), np.array(0.3), (1.2, None))
SEEN = LAYERS[:, :3] @ COLOURS + LAYERS[:, 5:6] @ IN_THE_GAP


def test_a_side_is_explained_best_where_it_lies() -> None:
    left = fit_layers(KIND, SEEN).own_residual
    width, shift = np.unravel_index(int(left.argmin()), left.shape)

    assert (WIDTHS_MM[width], SHIFTS_MM[shift]) == pytest.approx((1.0, 0.3))


def test_the_best_shared_colours_leave_less_than_any_others() -> None:
    evidence = fit_layers(KIND, SEEN).evidence.at(3, 4)
    best = shared_colours(evidence)

    def left(colours: Floats) -> float:
        return float(evidence.misfit_of(colours)) + float((colours**2).sum()) / 80.0**2  # for being unlike the mean

    assert left(best) == pytest.approx(float(misfit(evidence)), rel=1e-6)
    assert all(left(best + off) > left(best) for off in np.random.default_rng(3).normal(0, 5, (20, 3, 3)))


def test_a_sculpt_far_within_a_side_does_not_move_it() -> None:
    seen = SEEN + np.where(RELATIVE_MM < -3.5, 40.0, 0.0)[:, None]
    left = fit_layers(KIND, seen).own_residual
    _, shift = np.unravel_index(int(left.argmin()), left.shape)

    assert SHIFTS_MM[shift] == pytest.approx(0.3)


def test_paint_is_taken_for_about_as_wide_as_the_rims() -> None:
    kind = replace(KIND, is_inner=False, is_painted=True)
    found = fit_layers(kind, SEEN)
    cost = 1e6 * (np.abs(kind.widths_mm - WIDTHS_MM[:, None]) > 0.11)

    told = found.at_best_width(cost)

    wide = kind.widths_mm[told.widths]
    known = (kind.widths_mm[0] <= WIDTHS_MM) & (kind.widths_mm[-1] >= WIDTHS_MM)
    assert np.abs(wide - WIDTHS_MM[:, None])[known].max() < 0.11


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("is_painted", [False, True], ids=["plain", "painted"])
@pytest.mark.parametrize("is_inner", [False, True], ids=["free", "inner"])
def test_the_kernel_explains_as_the_same_steps_in_numpy(is_inner: bool, is_painted: bool, seed: int) -> None:
    kind = replace(SideKind.of(0.4, 0.4, is_inner=is_inner), is_painted=is_painted)
    seen = np.cumsum(np.random.default_rng(seed).normal(0, 20, (len(RELATIVE_MM), 3)), axis=0)
    kernel, plain = fit_layers(kind, seen), fit_layers_numpy(kind, seen)

    assert kernel.noise == pytest.approx(plain.noise, rel=1e-5)
    assert kernel.own_residual == pytest.approx(plain.own_residual, rel=1e-4)
    assert (kernel.options == plain.options).mean() > 0.99
    assert misfit(kernel.evidence) == pytest.approx(misfit(plain.evidence), rel=1e-4)


@pytest.mark.parametrize("blur_mm", [0.2, 0.4, 0.7])
def test_a_side_is_likeliest_with_the_blur_that_it_has(blur_mm: float) -> None:
    kind = SideKind.of(0.4, blur_mm, is_inner=False)
    seen = kind.layers(np.array(1.0), np.array(0.3), (0.0, None))[:, :3] @ COLOURS
    noisy = seen + np.random.default_rng(4).normal(0, 4, seen.shape)

    unlikely = {blur: fit_layers(kind.with_blur(blur), noisy).deviance for blur in (0.2, 0.4, 0.7)}

    assert min(unlikely, key=lambda blur: unlikely[blur]) == blur_mm


def test_a_plan_lives_as_long_as_the_kernel_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that work out one plan at once keep one of them in the cache: the other is the caller's alone."""
    plans: list[weakref.ref[side_layers.LayerPlan]] = []
    library = side_layers.kernel()

    def plan_of_nobody_else(kind: SideKind) -> side_layers.LayerPlan:
        plan = layer_plan.__wrapped__(kind)
        plans.append(weakref.ref(plan))
        return plan

    class Watched:
        def fit_layers(self, *arguments: object) -> int:
            assert plans[-1]() is not None
            return int(library.fit_layers(*arguments))

    expected = fit_layers(KIND, SEEN).own_residual
    monkeypatch.setattr(side_layers, "layer_plan", plan_of_nobody_else)
    monkeypatch.setattr(side_layers, "kernel", Watched)

    assert fit_layers(KIND, SEEN).own_residual == pytest.approx(expected)
