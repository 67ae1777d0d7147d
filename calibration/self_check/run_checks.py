"""Self-check before play: known lengths beside measured ones; is this table fit to judge, or what is to be mended?

Printed card on the table: how large the camera measures it to be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Image
from calibration.image import to_gray
from calibration.least_squares import NormalEquations, ResidualBlock
from calibration.pose.covariance_propagation import covariance_mm2, pose_shifts, sigma_mm
from calibration.pose.fiducial_residuals import FiducialEdges, measure_fiducial
from calibration.pose.image_sharpness import measure_sharpness
from calibration.pose.locate_table import locate_table
from calibration.pose.marker_detection import detect_dictionary
from calibration.pose.pose_fit import FLOOR_PX, NEIGHBOURS, fit_pose, weigh_edges
from calibration.survey import known_lengths
from calibration.survey.known_lengths import Length
from calibration.survey.tag import Tag, tag_from_corners
from calibration.view import View
from models.camera import Camera
from models.layout import Layout
from models.self_check import LengthComparison, SelfCheck

_LOOKS = 3


@dataclass(frozen=True)
class Card:
    """Card as it lies, and how well each of its sides and its middle are known, in mm."""

    tag: Tag
    sigma_mm: float

    @property
    def sides_mm(self) -> tuple[float, float]:
        """To the right and down of its print."""
        size = self.tag.size_mm
        return float(np.linalg.norm(self.tag.right)) * size, float(np.linalg.norm(self.tag.down)) * size


def measure_cards(image: Image, *, view: View, size_mm: float, without: Sequence[int] = ()) -> tuple[Card, ...]:
    """Measure every card of the layout's dictionary that lies on the table, but those of these ids."""
    seen = detect_dictionary(to_gray(image), name=view.layout.fiducials.dictionary)
    cards = []
    for id_, corners_px in seen:
        if id_ not in without:
            flat = view.intersect_plane(corners_px, z_mm=0.0)
            corners = np.column_stack([flat, np.zeros(4)])
            cards.append(measure_card(image, id_, corners, view=view, size_mm=size_mm))
    return tuple(card for card in cards if card is not None)


def measure_card(image: Image, id_: int, corners_mm: Floats, *, view: View, size_mm: float) -> Card | None:
    """Measure the card whose corners (4, 3) are about here by its edges; None when too few of them are seen."""
    if not np.all(np.isfinite(corners_mm)):
        return None
    tag, sigma_mm = tag_from_corners(id_, corners_mm, size_mm=size_mm), float("inf")
    for k in range(_LOOKS):
        seen = measure_fiducial(
            image, tag.marker(), fiducials=view.layout.fiducials, camera=view.camera, pose=view.pose, roughly=k == 0
        )
        if seen is None:
            return None
        tag, sigma_mm = _refine_tag(tag, seen)
    return Card(tag, sigma_mm)


def _refine_tag(tag: Tag, seen: FiducialEdges) -> tuple[Tag, float]:
    """The tag moved, turned and stretched in its plane onto its edges; the tone curve's shift is solved beside it."""
    arm = seen.points_mm - tag.middle_mm
    flat = seen.slope[:, :2]
    matrix = np.concatenate([np.ones((len(arm), 1)), flat, flat * arm[:, :1], flat * arm[:, 1:2]], axis=1)
    trust, noise_px = weigh_edges(seen)
    equations = NormalEquations.of([ResidualBlock(seen.offset_px, matrix, weights=trust)], matrix.shape[1])
    change = equations.step()
    by_place = change[3:].reshape(2, 2).T  # how far a place moves for each mm that it lies right and up of the middle
    covariance = np.linalg.inv(equations.matrix) * NEIGHBOURS * noise_px**2
    stretch_mm = tag.size_mm * float(np.sqrt(np.diag(covariance)[3:].max()))
    floor_mm = FLOOR_PX / float(np.median(np.linalg.norm(flat, axis=1)))
    shift = np.array([change[1], change[2], 0.0])
    right, down = (side + np.append(by_place @ side[:2], 0.0) for side in (tag.right, tag.down))
    return Tag(tag.id, tag.middle_mm + shift, right, down, tag.size_mm), float(np.hypot(stretch_mm, floor_mm))


MOST_OFF_MM = 0.5
_MOST_SCALE = 0.003  # on a range of ten inches that is three quarters of a millimetre
_PRINT_SIGMA_MM = 0.1  # how true printers print, and how flat paper lies
_SIGMAS = 3.0
_MOST_TABLE_SIGMA_MM = 0.5
_FIT = "fit to judge"
_LEAST_OUTLIER_MM = 0.5
_OUTLIER_SIGMAS = 4.0
_CLEARLY_BEST = 0.7  # of the residual that any other explanation leaves
_FEWEST_FIDUCIALS = 3


@dataclass(frozen=True)
class _OutlierFiducial:
    """Fiducial and how far it lies off its written place; `is_sure`: the others agree once it is left out."""

    id: int
    off_mm: float
    is_sure: bool


def run_self_check(
    image: Image,
    *,
    camera: Camera,
    layout: Layout,
    card_mm: float | None = None,
    lengths: Sequence[Length] = (),
    others: Sequence[LengthComparison] = (),
) -> SelfCheck:
    """Self-check of a picture: light, sharpness, fiducials, and every length on it that is known.

    Cards are prints of the layout's dictionary with ids that the layout does not have, `card_mm` wide (as the
    fiducials, when left out); `lengths` were measured by hand between cards; `others` come from elsewhere.
    Raises: TableNotVisible, BadInput.
    """
    view = View(camera, locate_table(image, camera=camera, layout=layout), layout)
    without = [marker.id for marker in view.markers]
    cards = measure_cards(image, view=view, size_mm=card_mm or layout.fiducials.marker_mm, without=without)
    printed = (*_compare_sides(cards), *_compare_lengths(cards, lengths))
    clear = measure_sharpness(image, view=view)
    off = _find_outlier_fiducial(image, view=view)
    corner_mm = _worst_corner_mm(view)
    blurs = clear.problems() if clear is not None else ()
    mend = (*blurs, *_advise_on_fiducials(off, corner_mm), *_advise_on_lengths(printed, others))
    return SelfCheck(
        is_fit=not mend,
        says=mend[0] if mend else _FIT,
        mend=mend,
        compared=(*printed, *others),
        table_sigma_mm=round(corner_mm, 3),
    )


def unfit_check(why: str) -> SelfCheck:
    """Self-check of a table that cannot even be found."""
    return SelfCheck(is_fit=False, says=why, mend=(why,), table_sigma_mm=None)


def compare_length(what: str, *, known_mm: float, measured_mm: float, sigma_mm: float) -> LengthComparison:
    """Measured length beside its known one: fine when off by no more than half a millimetre, or than chance may be."""
    is_fine = abs(measured_mm - known_mm) <= max(MOST_OFF_MM, _SIGMAS * sigma_mm)
    return LengthComparison(
        what=what,
        known_mm=round(known_mm, 3),
        measured_mm=round(measured_mm, 3),
        sigma_mm=round(sigma_mm, 3),
        is_fine=is_fine,
    )


def _compare_sides(cards: Sequence[Card]) -> tuple[LengthComparison, ...]:
    return tuple(
        compare_length(
            f"card {card.tag.id}, {side}",
            known_mm=card.tag.size_mm,
            measured_mm=measured,
            sigma_mm=float(np.hypot(card.sigma_mm, _PRINT_SIGMA_MM)),
        )
        for card in cards
        for side, measured in zip(("width", "height"), card.sides_mm, strict=True)
    )


def _compare_lengths(cards: Sequence[Card], lengths: Sequence[Length]) -> tuple[LengthComparison, ...]:
    """Those between cards that are there."""
    tags = [card.tag for card in cards]
    sigmas = {card.tag.id: card.sigma_mm for card in cards}
    return tuple(
        compare_length(
            f"{length.a} to {length.b}",
            known_mm=length.measured_mm,
            measured_mm=known_lengths.distance_between(length.a, length.b, tags)[0],
            sigma_mm=float(np.linalg.norm([length.sigma_mm, sigmas[length.a.tag], sigmas[length.b.tag]])),
        )
        for length in lengths
        if {length.a.tag, length.b.tag} <= sigmas.keys()
    )


def _worst_corner_mm(view: View) -> float:
    width, depth = view.table_mm
    corners = [[x, y, 0.0] for x in (0.0, width) for y in (0.0, depth)]
    return float(sigma_mm(corners, view=view).max())


def _advise_on_fiducials(off: _OutlierFiducial | None, corner_mm: float) -> tuple[str, ...]:
    if off is not None and off.is_sure:
        return (f"put fiducial {off.id} back, or register the table again: it lies {off.off_mm:.1f} mm off its place",)
    if off is not None:
        return (
            f"survey the fiducials again: they contradict each other by {off.off_mm:.1f} mm; perhaps it is {off.id}",
        )
    if corner_mm > _MOST_TABLE_SIGMA_MM:
        return (
            f"uncover more fiducials, or calibrate the camera with more views: places may be {corner_mm:.1f} mm off",
        )
    return ()


def _advise_on_lengths(printed: Sequence[LengthComparison], others: Sequence[LengthComparison]) -> tuple[str, ...]:
    """A scale is told by prints alone: bases are too short for it, and their paint weighs more."""
    if not printed and not others:
        return ("nothing to compare: lay two printed cards on the table, or two bases that touch",)
    scale, sigma = _scale_error(printed)
    if abs(scale) > max(_MOST_SCALE, _SIGMAS * sigma):
        size = f"{abs(scale):.1%} too {'large' if scale > 0 else 'small'}"
        return (f"calibrate again: scale {size}. Are the cards and the fiducials printed at true size (100 mm ruler)?",)
    wrong = [length for length in (*printed, *others) if not length.is_fine]
    worst = max(wrong, key=lambda length: abs(length.off_mm), default=None)
    if worst is None:
        return ()
    return (f"calibrate the camera again: {worst.what}: {worst.off_mm:+.1f} mm off, and other lengths are not",)


def _scale_error(all_: Sequence[LengthComparison]) -> tuple[float, float]:
    """By how much measured lengths are too large, as a share, and how surely; nothing is said of none."""
    if not all_:
        return 0.0, 1.0
    known = np.array([length.known_mm for length in all_])
    weight = 1 / np.maximum([length.sigma_mm for length in all_], 1e-3) ** 2
    normal = float(np.sum(weight * known**2))
    off = np.array([length.off_mm for length in all_])
    return float(np.sum(weight * known * off)) / normal, 1 / float(np.sqrt(normal))


def _find_outlier_fiducial(image: Image, *, view: View) -> _OutlierFiducial | None:
    """The fiducial that is off its place; None when all agree, or when there are too few to say."""
    fiducials = view.layout.fiducials
    looks = (
        measure_fiducial(image, marker, fiducials=fiducials, camera=view.camera, pose=view.pose)
        for marker in fiducials.markers
    )
    seen = [edges for edges in looks if edges is not None]
    if len(seen) < _FEWEST_FIDUCIALS:
        return None
    offs = [_leave_one_out(image, i, seen, view=view) for i in range(len(seen))]
    if not any(off_mm > limit_mm for off_mm, limit_mm, _ in offs):
        return None
    order = sorted(range(len(offs)), key=lambda i: offs[i][2])
    best, next_ = order[0], order[1]
    return _OutlierFiducial(seen[best].marker.id, offs[best][0], is_sure=offs[best][2] < _CLEARLY_BEST * offs[next_][2])


def _leave_one_out(image: Image, i: int, seen: Sequence[FiducialEdges], *, view: View) -> tuple[float, float, float]:
    """How far this fiducial is from where the others put it, how far chance may, and what misfit the others keep."""
    fiducials = view.layout.fiducials
    rest = fit_pose([edges for k, edges in enumerate(seen) if k != i], pose=view.pose, fiducials=fiducials)
    marker = seen[i].marker
    corners = np.array(marker.corners_mm)
    by_rest = view.with_pose(rest.pose)
    card = measure_card(image, marker.id, corners, view=by_rest, size_mm=fiducials.marker_mm)
    if card is None:
        return 0.0, np.inf, np.inf
    middle = corners.mean(axis=0)
    off_mm = float(np.linalg.norm((card.tag.middle_mm - middle)[:2]))
    doubt = covariance_mm2(pose_shifts(middle[None], view=by_rest))[0]
    place_sigma_mm = float(np.sqrt(np.trace(doubt) / 2 + fiducials.sigma_mm**2))
    return off_mm, max(_LEAST_OUTLIER_MM, _OUTLIER_SIGMAS * place_sigma_mm), rest.pose.rms_mm
