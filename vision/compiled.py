"""What the compiled kernel does where it was built, the fit of one base above all; `KERNEL` is None where
`fitting.py` answers.

Both must agree; a test holds them to each other. Every number that the kernel needs is handed over from where it is
said. The interpreter is free while the kernel works: fits may run beside each other.
"""

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.lens import is_fisheye
from models.base import OvalBase, RoundBase
from models.camera import Camera, CameraPose
from vision import fitting, profile, refining, rim_edges, traits
from vision.fitting import Fitted, Start
from vision.outline import RimProfile
from vision.tone import LEVELS
from vision.traits import Traits

Picture = NDArray[np.uint8]
Sums = NDArray[np.float64]
Floats = NDArray[np.float64]
Steps = NDArray[np.float32]
Ints = NDArray[np.intp]

_LIBRARY = __file__.removesuffix("compiled.py") + "kernel.so"
_MOST_LIPS, _MOST_TURNS, _MOST_CELLS, _MOST_SHIFTS = 6, 5, 160, 32  # as in `kernel.h`
PLACES_BESIDE = 8  # there, too: so many are weighed at once
_NEIGHBOURS = 4  # of a cell
_NO_MEMORY = -2


def _load() -> ctypes.CDLL | None:
    try:
        kernel = ctypes.CDLL(_LIBRARY)
        kernel.fit_base.restype = kernel.votes.restype = None
        kernel.grown.restype = kernel.align.restype = kernel.strengths.restype = kernel.explain.restype = _Int
        is_ours = tuple(kernel.size_of(which) for which in range(len(_HANDED_OVER))) == _HANDED_OVER
    except (OSError, AttributeError):  # none, or one of an older make
        return None
    return kernel if is_ours else None


_Double, _Int = ctypes.c_double, ctypes.c_int
_Two, _Lips = _Double * 2, _Double * _MOST_LIPS


def _doubles(*names: str) -> list[tuple[str, Any]]:
    return [(name, _Double) for name in names]


class _Picture(ctypes.Structure):
    _fields_ = [("pixels", ctypes.c_void_p), ("width", _Int), ("height", _Int), ("stride", ctypes.c_long)]


class _Eye(ctypes.Structure):
    _fields_ = [
        ("rotation", _Double * 9), ("shift_mm", _Double * 3), ("centre_mm", _Double * 3), ("focal_px", _Two),
        ("middle_px", _Two), ("dist", _Double * 12), ("terms", _Int), ("is_fisheye", _Int),
    ]  # fmt: skip


class _Start(ctypes.Structure):
    _fields_ = [
        *_doubles("depth_mm", "width_mm"), ("at_mm", _Two), *_doubles("turn_rad", "ground_mm", "least"),
        ("is_round", _Int), ("points", _Int),
    ]  # fmt: skip


class _Make(ctypes.Structure):
    _fields_ = [*_doubles("top_mm", "inset_mm"), ("lips_mm", _Lips), ("lips", _Int)]


class _Search(ctypes.Structure):
    _fields_ = [*_doubles("reach_mm", "step_mm"), ("turns_rad", _Double * _MOST_TURNS), ("turns", _Int)]


class _Settings(ctypes.Structure):
    _fields_ = [
        ("offsets_mm", ctypes.c_void_p), ("levels", ctypes.c_void_p), ("columns", _Int),
        *_doubles("step_mm", "along_mm", "blur_px"), ("rough", _Search), ("fine", _Search),
        ("finer_lips_mm", _Lips), ("finer_lips", _Int), ("times_rough", _Int),
        *_doubles("half_felt", "inner_share", "side_px", "shaded_price", "per_mm", "likeness", "close_make"),
        *_doubles("soft_px", "most_soft_mm"), ("soft_columns", _Int), *_doubles("agree_mm"),
        ("windows_mm", _Double * len(refining.WINDOWS_MM)), *_doubles("noise", "inner_precision", "peak_sigma_mm"),
        ("sigmas", _Double * len(refining.SIGMAS)),
        *_doubles("usual_scatter_mm", "least_scatter", "doubt", "scatter_power", "support_mm", "on_rim_mm"),
        *_doubles("near_mm", "faint", "shade_mm", "busy_share", "busy_in_mm", "grain_in_mm"),
        *_doubles("around_out_mm", "around_to_mm"), ("shade_columns", _Int),
    ]  # fmt: skip


class _Fit(ctypes.Structure):
    _fields_ = [
        ("make", _Int), ("at_mm", _Two), *_doubles("turn_rad"), ("covariance_mm2", _Double * 3),
        *_doubles("turn_variance", "support", "score", "bias_mm", "lip_mm", "scatter_mm"),
        *_doubles("both", "busy", "grain", "around"),
    ]  # fmt: skip


class Growth(ctypes.Structure):
    """As in `kernel.h`."""

    _fields_ = [
        *_doubles("wide_mm", "tall_mm", "tall_share", "pitch_x", "pitch_y", "absent"),
        *_doubles("seed", "neighbour", "between", "worth_mm"),
        *_doubles("least_free_side", "least_free", "cell_cost_mm", "least_around", "least_side"),
        *((name, _Int) for name in ("wide", "wide_end", "half_x", "tall", "tall_end", "half_y")),
        *((name, _Int) for name in ("slack", "reach", "seeds", "most_cells", "is_bounded_at_once")),
    ]


class _Grown(ctypes.Structure):
    _fields_ = [*_doubles("worth_mm"), ("count", _Int), ("cells", _Int * (4 * _MOST_CELLS))]


class _Side(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("left", "told", "inner")),
        *_doubles("weight", "strange"), ("widths", _Int), ("axis", _Int),
    ]  # fmt: skip


class Layers(ctypes.Structure):
    """As in `kernel.h`."""

    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("take", "inner", "counts", "price")),
        *_doubles("noise", "least_noise", "rough"),
        *((name, _Int) for name in ("options", "widths", "shifts", "offsets", "own_layers")),
    ]  # fmt: skip


@dataclass(frozen=True)
class Side:
    """What sides of a block that lie alike tell at each place: `left` (widths or 1, shifts), `told` and `inner`
    (.., 3, 3), and how it counts along which axis of the block."""

    left: Floats
    told: Floats
    inner: Floats
    weight: float
    strange: float
    axis: int


def _search(search: fitting.Search) -> _Search:
    return _Search(search.reach_mm, search.step_mm, (*search.turns_rad,), len(search.turns_rad))


def _settings(*, is_round: bool) -> _Settings:
    rough, fine = (fitting.ROUGH, fitting.FINE) if is_round else (fitting.ROUGH_OVAL, fitting.FINE_OVAL)
    doubt = (refining.DOUBT, refining.SCATTER_POWER) if is_round else (refining.OVAL_DOUBT, refining.OVAL_SCATTER_POWER)
    return _Settings(
        profile.OFFSETS_MM.ctypes.data, LEVELS.ctypes.data, len(profile.OFFSETS_MM),
        profile.STEP_MM, profile.SMOOTH_ALONG_MM, profile.BLUR_PX, _search(rough), _search(fine),
        fitting.FINER_LIPS_MM, len(fitting.FINER_LIPS_MM), 1 if is_round else 2,
        rim_edges.HALF_FELT, fitting.INNER_SHARE, rim_edges.SIDE_PX, fitting.SHADED_PRICE,
        fitting.NEARER_PER_MM, fitting.LIKENESS, fitting.CLOSE_MAKE,
        refining.SOFT_PX, refining.MOST_SOFT_MM, refining.SOFT_COLUMNS, refining.AGREE_MM,
        refining.WINDOWS_MM, refining.NOISE, refining.INNER_PRECISION, refining.PEAK_SIGMA_MM, refining.SIGMAS,
        refining.USUAL_SCATTER_MM, refining.LEAST_SCATTER, *doubt, fitting.SUPPORT_MM, fitting.ON_RIM_MM,
        traits.NEAR_MM, traits.FAINT, traits.SHADE_MM, traits.BUSY_SHARE, traits.BUSY_IN_MM, traits.GRAIN_IN_MM,
        traits.AROUND_OUT_MM, traits.AROUND_TO_MM, traits.SHADE_COLUMNS,
    )  # fmt: skip


_ROUND, _OVAL = _settings(is_round=True), _settings(is_round=False)


def _make(make: RimProfile) -> _Make:
    return _Make(make.top_mm, make.inset_mm, make.lips_mm, len(make.lips_mm))


@lru_cache(64)
def _makes(makes: tuple[RimProfile, ...]) -> Any:
    return (_Make * len(makes))(*map(_make, makes))


_HANDED_OVER = tuple(
    map(ctypes.sizeof, (_Picture, _Eye, _Start, _Make, _Settings, _Fit, Growth, _Grown, _Side, Layers))
)
KERNEL = _load()


def fitted(image: Picture, start: Start, *, camera: Camera, pose: CameraPose) -> Fitted | None:
    """The base near the start, in whichever make explains its rim better; None if none does. Raises: MemoryError."""
    assert KERNEL is not None
    seen, fit, is_round = np.ascontiguousarray(image), _Fit(), isinstance(start.base, RoundBase)
    settings = _ROUND if is_round else _OVAL
    KERNEL.fit_base(
        _picture(seen),
        _eye(camera, pose),
        _start(start),
        _makes(start.makes),
        len(start.makes),
        ctypes.byref(settings),
        ctypes.byref(fit),
    )
    if fit.make == _NO_MEMORY:
        raise MemoryError
    return _told(fit, start.makes[fit.make], is_round=is_round) if fit.make >= 0 else None


def grown(up: Sums, across: Sums, growth: Growth, *, x0: int, y0: int) -> Iterator[tuple[float, Ints]]:
    """Blocks that begin so far from the ends of the picture: what each is worth, mm, and its cells (N, 4): column, row
    and the pixel. By the lines' running sums along themselves, `up` (H + 1, W) and `across` (H, W + 1), of a picture
    larger than the rectangle.

    Raises: MemoryError.
    """
    assert KERNEL is not None
    assert growth.most_cells + _NEIGHBOURS <= _MOST_CELLS  # one that is begun with fewer takes in all its neighbours
    found = (_Grown * growth.seeds)()
    a, b = (ctypes.c_void_p(one.ctypes.data) for one in (up, across))
    count = KERNEL.grown(a, b, len(across), up.shape[1], ctypes.byref(growth), x0, y0, found)
    if count < 0:
        raise MemoryError
    for one in found[:count]:
        yield one.worth_mm, np.array(one.cells[: 4 * one.count], np.intp).reshape(-1, 4)


def votes(across: Steps, down: Steps, half_vote: float) -> tuple[Steps, Steps]:
    """(H, W) each: cosines and sines of what steps (H, W, 3) vote."""
    assert KERNEL is not None
    steps = [np.ascontiguousarray(one) for one in (across, down)]
    cosines, sines = (np.empty(across.shape[:2], np.float32) for _ in range(2))
    (a, d, c, s) = (ctypes.c_void_p(one.ctypes.data) for one in (*steps, cosines, sines))
    KERNEL.votes(a, d, ctypes.c_long(cosines.size), ctypes.c_float(half_vote), c, s)
    return cosines, sines


def strengths(tones: Steps, *, is_across: bool) -> Steps:
    """(H, W): how strongly lines run along the columns of tones (H, W, 3), or along the rows. Raises: MemoryError."""
    assert KERNEL is not None
    seen, found = np.ascontiguousarray(tones), np.empty(tones.shape[:2], np.float32)
    to, into = (ctypes.c_void_p(one.ctypes.data) for one in (seen, found))
    if not KERNEL.strengths(to, *found.shape, int(is_across), into):
        raise MemoryError
    return found


def aligned(sides: Sequence[Side], prior: Floats, *, firm: float, times: int) -> tuple[Floats, Floats]:
    """What all sides leave unexplained (widths, shifts ahead, shifts left), weighed anew so many times, and the shared
    colours (3, 3). `prior`: what each place costs of itself; `firm`: how firmly colours are held to none.

    Raises: MemoryError.
    """
    assert KERNEL is not None
    held = [[np.ascontiguousarray(one) for one in (side.left, side.told, side.inner)] for side in sides]
    told = [
        _Side(*(one.ctypes.data for one in arrays), side.weight, side.strange, len(side.left), side.axis)
        for side, arrays in zip(sides, held, strict=True)
    ]
    left, colours = np.empty(prior.shape), np.empty((3, 3))
    widths, shifts, _ = prior.shape
    known = KERNEL.align(
        (_Side * len(told))(*told), len(told), widths, shifts, times, _Double(firm),
        *(ctypes.c_void_p(one.ctypes.data) for one in (prior, left, colours)),
    )  # fmt: skip
    if not known:
        raise MemoryError
    return left, colours


def explained(layers: Layers, seen: Floats) -> tuple[Ints, Floats, Floats, Floats, Floats, float]:
    """Of the colours seen (R, 3), for each place (widths, shifts): the option that is best there, what it costs, what
    it leaves, and `told` and `inner` (.., 3, 3) of the shared colours; the noise in grey levels. Raises: MemoryError.
    """
    assert KERNEL is not None
    assert layers.shifts <= _MOST_SHIFTS
    places = layers.widths, layers.shifts
    known, options = np.ascontiguousarray(seen, np.float64), np.empty(places, np.intp)
    costs, left, told, inner = (np.empty((*places, *more)) for more in ((), (), (3, 3), (3, 3)))
    arrays, noise = (known, options, costs, left, told, inner), _Double()
    held = (ctypes.c_void_p(one.ctypes.data) for one in arrays)
    if not KERNEL.explain(ctypes.byref(layers), *held, ctypes.byref(noise)):
        raise MemoryError
    return options, costs, left, told, inner, noise.value


def _picture(image: Picture) -> Any:
    height, width = image.shape[:2]
    return ctypes.byref(_Picture(image.ctypes.data, width, height, image.strides[0]))


def _eye(camera: Camera, pose: CameraPose) -> Any:
    k, (along, aside, ahead) = camera.K, pose.rotation
    eye = _Eye(
        (*along, *aside, *ahead), pose.translation_mm, pose.centre_mm, (k[0][0], k[1][1]), (k[0][2], k[1][2]),
        camera.dist, len(camera.dist), is_fisheye(camera),
    )  # fmt: skip
    return ctypes.byref(eye)


def _start(start: Start) -> Any:
    base = start.base
    depth, width = (base.depth_mm, base.width_mm) if isinstance(base, OvalBase) else (base.diameter_mm,) * 2
    is_round = isinstance(base, RoundBase)
    return ctypes.byref(
        _Start(depth, width, start.at_mm, start.turn_rad, start.ground_mm, start.least, is_round, start.points)
    )


def _told(fit: _Fit, make: RimProfile, *, is_round: bool) -> Fitted:
    xx, xy, yy = fit.covariance_mm2
    return Fitted(
        profile=make,
        at_mm=(fit.at_mm[0], fit.at_mm[1]),
        turn_rad=fit.turn_rad,
        covariance_mm2=np.array([[xx, xy], [xy, yy]]),
        turn_sigma_rad=0.0 if is_round else float(fit.turn_variance**0.5),
        support=fit.support,
        strength=fit.score,
        bias_mm=fit.bias_mm,
        lip_mm=fit.lip_mm,
        scatter_mm=fit.scatter_mm,
        traits=Traits(both=fit.both, busy=fit.busy, grain=fit.grain, around=fit.around),
    )
