"""Print scale: how long a printed millimetre is, by the pages' ruler, a tape between two pages, or the table's size."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Image
from calibration.setup.lens_solve import Known
from calibration.setup.pages import MARKER_MM, PAGES
from calibration.setup.picture_intake import Intake, read_pages
from calibration.setup.solve_setup import Setup, solve_intake
from calibration.setup.table_layout import CornerMarks, scale_size
from models.camera import CameraPose
from models.errors import BadInput
from models.layout import Fiducials, Layout, Marker

RULER_MM = 100.0
RULER_SIGMA = 0.002  # a ruler read to 0.2 mm of 100
TABLE_SIGMA = 0.004  # marks at the corners of a table of known size agree with the print
UNMEASURED_SIGMA = 0.01  # what a printer may do when nobody looks
TAPE_SIGMA_MM = 1.0  # a tape laid from cross to cross, read by eye
_LEAST, _MOST = 80.0, 120.0
_CONTRADICTS = 4.0  # sigmas between tape and ruler from which one of them is wrong
_NOTICED = 0.006  # from which marks at the corners of a table of known size contradict the scale


def scale_of_ruler(ruler_mm: float | None) -> float:
    """A printed millimetre in true ones. Raises: BadInput for a length that no ruler of 100 mm has."""
    if ruler_mm is None:
        return 1.0
    if not _LEAST <= ruler_mm <= _MOST:
        raise BadInput(
            f"the printed ruler of 100 mm is {ruler_mm:g} mm long? Measure from 0 to 100 again, in millimetres",
            field="ruler_mm",
            value=ruler_mm,
        )
    return ruler_mm / RULER_MM


@dataclass(frozen=True)
class Tape:
    """A tape laid from the cross of one page to that of another, both numbered from 1 as they are printed."""

    a: int
    b: int
    length_mm: float
    sigma_mm: float = TAPE_SIGMA_MM

    def __post_init__(self) -> None:
        """Raises: BadInput."""
        pages = range(1, PAGES + 1)
        if self.a == self.b or self.a not in pages or self.b not in pages or not self.length_mm > 0:
            raise BadInput(
                f"a tape goes between two of pages 1 to {PAGES}, such as 1 3 1724",
                field="tape",
                value=[self.a, self.b, self.length_mm],
            )


@dataclass(frozen=True)
class PrintScale:
    """A printed millimetre in true ones, with its sigma."""

    scale: float
    sigma: float


def fit_scale(marks: CornerMarks, tape: Tape, ruler_mm: float | None) -> PrintScale:
    """Least squares of the scale: tape = scale x printed distance, beside the ruler, or what printers do.

    Raises: BadInput where no print is so far off, or tape and ruler contradict each other.
    """
    printed_mm, printed_sigma_mm = marks.distance_mm(tape.a - 1, tape.b - 1)
    taped = tape.length_mm / printed_mm
    if not _LEAST <= 100 * taped <= _MOST:
        raise BadInput(
            f"between the crosses of pages {tape.a} and {tape.b} lie {printed_mm:.0f} printed mm, and a tape of "
            f"{tape.length_mm:g}: is it those two pages, and millimetres?",
            field="tape",
            value=[tape.a, tape.b, tape.length_mm],
        )
    ruled, ruler_sigma = scale_of_ruler(ruler_mm), UNMEASURED_SIGMA if ruler_mm is None else RULER_SIGMA
    tape_sigma = float(np.hypot(tape.sigma_mm, taped * printed_sigma_mm)) / printed_mm
    if ruler_mm is not None and abs(taped - ruled) > _CONTRADICTS * np.hypot(tape_sigma, ruler_sigma):
        raise BadInput(
            f"by the tape the pages were printed at {100 * taped:.1f} %, by the ruler at {100 * ruled:.1f} %: "
            "measure both again",
            field="tape",
            value=[tape.a, tape.b, tape.length_mm],
        )
    weights = np.array([tape_sigma, ruler_sigma]) ** -2.0
    return PrintScale(float(weights @ [taped, ruled] / weights.sum()), float(weights.sum() ** -0.5))


def solve_to_scale(
    pictures: Iterable[tuple[str, Image]],
    *,
    table_mm: tuple[float, float] | None = None,
    ruler_mm: float | None = None,
    tape: Tape | None = None,
    known: Known | None = None,
) -> Setup:
    """The set-up in true millimetres: by the printed ruler, a tape, or the known layout. Raises: BadInput."""
    return solve_intake_to_scale(read_pages(pictures), table_mm=table_mm, ruler_mm=ruler_mm, tape=tape, known=known)


def solve_intake_to_scale(
    intake: Intake,
    *,
    table_mm: tuple[float, float] | None = None,
    ruler_mm: float | None = None,
    tape: Tape | None = None,
    known: Known | None = None,
) -> Setup:
    """The same from pictures whose pages were read, one by one as they came. Raises: BadInput."""
    known = known or Known()
    if known.layout is not None:
        if tape is not None:
            raise BadInput("a layout that is known has its scale: leave the tape out", field="tape", value=None)
        scale = known.layout.fiducials.marker_mm / MARKER_MM
        printed = _scale_layout(known.layout, 1 / scale)
        return scale_setup(solve_intake(intake, known=replace(known, layout=printed)), scale)
    if tape is not None:
        return _solve_by_tape(intake, tape, table_mm=table_mm, ruler_mm=ruler_mm, known=known)
    scale = scale_of_ruler(ruler_mm)
    setup = solve_intake(intake, table_mm=table_mm, scale=scale, known=known)
    sigma = _scale_sigma(setup, ruler_mm, is_size_known=table_mm is not None)
    remarks = (*setup.remarks, *describe_scale(setup, ruler_mm, sigma))
    return replace(scale_setup(setup, scale, scale_sigma=sigma), remarks=remarks)


def _solve_by_tape(
    intake: Intake, tape: Tape, *, table_mm: tuple[float, float] | None, ruler_mm: float | None, known: Known
) -> Setup:
    """Solved twice where the table's size is told: how long it is in print is known once the tape is."""
    setup = solve_intake(intake, known=known)
    assert setup.marks is not None
    fitted = fit_scale(setup.marks, tape, ruler_mm)
    if table_mm is not None:
        setup = solve_intake(intake, table_mm=table_mm, scale=fitted.scale, known=known)
    remarks = (*setup.remarks, *_describe_size(setup, "tape"))
    return replace(scale_setup(setup, fitted.scale, scale_sigma=fitted.sigma), remarks=remarks)


def scale_setup(setup: Setup, scale: float, *, scale_sigma: float | None = None) -> Setup:
    """The set-up in true millimetres; what was solved in printed ones."""
    layout = _scale_layout(setup.layout, scale, scale_sigma=scale_sigma)
    return replace(setup, layout=layout, poses=tuple(_scale_pose(pose, scale) for pose in setup.poses))


def _scale_sigma(setup: Setup, ruler_mm: float | None, *, is_size_known: bool) -> float:
    if ruler_mm is not None:
        return RULER_SIGMA
    agrees = is_size_known and abs(setup.marks_scale - 1) <= _NOTICED
    return TABLE_SIGMA if agrees else UNMEASURED_SIGMA


def describe_scale(setup: Setup, ruler_mm: float | None, sigma: float) -> tuple[str, ...]:
    """What nobody knows of the scale, in words."""
    off = setup.marks_scale - 1
    if abs(off) > _NOTICED and ruler_mm is None:
        return (
            f"the pages were printed at {100 * setup.marks_scale:.1f} %, or the table is not of the size you gave: "
            "measure the ruler on a page and give its length",
        )
    if abs(off) > _NOTICED:
        return _describe_size(setup, "ruler")
    if ruler_mm is None:
        return (f"nobody measured the ruler: all lengths may be off by {100 * sigma:.1f} %, and no picture tells",)
    return ()


def _describe_size(setup: Setup, by: str) -> tuple[str, ...]:
    off = 1 / setup.marks_scale - 1
    is_near = abs(setup.marks_scale - 1) <= _NOTICED
    return () if is_near else (f"by the {by} the table is {_percent(off)} than you gave it: check its size",)


def _percent(share: float) -> str:
    return f"{abs(100 * share):.1f} % {'larger' if share > 0 else 'smaller'}"


def _scale_layout(layout: Layout, scale: float, *, scale_sigma: float | None = None) -> Layout:
    known = layout.fiducials
    markers = tuple(Marker(id=m.id, corners_mm=tuple(_times(p, scale) for p in m.corners_mm)) for m in known.markers)
    covariance = None if known.covariance_mm2 is None else np.array(known.covariance_mm2) * scale**2
    return Layout(
        terrain=layout.terrain,
        table_mm=scale_size(layout.table_mm, scale),
        fiducials=Fiducials(
            dictionary=known.dictionary,
            marker_mm=known.marker_mm * scale,
            markers=markers,
            sigma_mm=known.sigma_mm,
            covariance_mm2=None if covariance is None else tuple(tuple(map(float, row)) for row in covariance),
            scale_sigma=known.scale_sigma if scale_sigma is None else scale_sigma,
        ),
    )


def _scale_pose(pose: CameraPose, scale: float) -> CameraPose:
    factors = np.array([1.0, 1.0, 1.0, scale, scale, scale])
    covariance = np.array(pose.covariance) * np.outer(factors, factors)
    scaled = {
        "translation_mm": _times(pose.translation_mm, scale),
        "centre_mm": _times(pose.centre_mm, scale),
        "covariance": tuple(tuple(map(float, row)) for row in covariance),
        "rms_mm": pose.rms_mm * scale,
    }
    return CameraPose.model_validate({**dict(pose), **scaled})


def _times(place: tuple[float, float, float], scale: float) -> tuple[float, float, float]:
    return place[0] * scale, place[1] * scale, place[2] * scale
