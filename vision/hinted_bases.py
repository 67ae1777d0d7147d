"""Hinted bases: what persons say of places in a picture, made part of what was measured in it.

Where a base was measured at a told place it stays. Else the picture is searched there, in the told size or in all; what
no rim leads stands where it was pointed at, with the finger's doubt. What was measured goes only where a told base
leaves no room for it, wherever the finger may mean, or where its own rim says more.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Image
from calibration.image import check_in_picture
from calibration.view import View
from models.base import Base, Catalogue, RoundBase
from models.errors import BadInput
from models.hint import Hint, is_on_table
from models.state import TableState
from models.vocabulary import Point
from vision.candidates import Candidate
from vision.facing.facing_estimate import estimate_facings, facing_of_outline
from vision.measurement.base_distance import is_inside, signed_distance_mm
from vision.measurement.base_fit import BaseFit, inradius_mm, size_mm
from vision.measurement.silhouette import PROFILES
from vision.prompted_fit import Prompt, likeliest_fit, measure_prompt
from vision.rectification.ground_height import GroundMap
from vision.selection.log_odds import rim_evidence
from vision.selection.non_maximum_suppression import MOST_OVERLAP_MM, do_overlap
from vision.state_assembly import MeasuredBase

_MEANT_SIGMAS = 2.5  # so near the finger a measured base is the one that is meant
_APART_SIGMAS = 3.0  # of two fingers that mean two bases
_LEAST_INRADIUS_MM = 10.0  # of the bases on sale
_ASIDE_STEPS = 4
_UNKNOWN_TURN_RAD = math.pi
_RIM_MM = 1.0
_SAME_SURFACE_MM = 0.5


def place_hints(hints: Sequence[Hint], *, view: View) -> tuple[Prompt, ...]:
    """Where each hint of one place points, and the ground there.

    Raises: BadInput naming a hint off the table or the picture.
    """
    return tuple(
        place_prompt(
            at_mm=hint.at_mm, at_px=hint.at_px, sigma_mm=hint.sigma_mm, view=view, field=hint.place_field(number)
        )
        for number, hint in _single(hints)
    )


def place_prompt(
    *, at_mm: Point | None, at_px: Point | None, sigma_mm: float, view: View, field: str | None = None
) -> Prompt:
    """The place of the table that is pointed at, in mm or in the picture, and the ground there.

    Raises: BadInput naming the field where that lies off the table or the picture.
    """
    ground = GroundMap(view.layout)
    field = field or ("at_px" if at_mm is None else "at_mm")
    at = at_mm or _on_ground(at_px or (math.nan, math.nan), ground, view=view, field=field)
    (width, depth), (x, y) = view.table_mm, at
    if not is_on_table(at, view.table_mm):
        says = f"{field}: points at {x:.0f}, {y:.0f} mm, off the table of {width:g} x {depth:g} mm"
        raise BadInput(says, field=field, value=list(at_mm or at_px or ()))
    return Prompt(at, ground.under(at), sigma_mm)


def check_apart(hints: Sequence[Hint], prompts: Sequence[Prompt]) -> None:
    """Raises: BadInput naming a hint that tells a base upon the base of an earlier one."""
    earlier: list[tuple[int, Prompt, float]] = []
    for (number, hint), prompt in zip(_single(hints), prompts, strict=True):
        radius_mm = _LEAST_INRADIUS_MM if hint.base is None else inradius_mm(hint.base)
        for first, other, other_mm in earlier if hint.is_base else ():
            least_mm = radius_mm + other_mm - MOST_OVERLAP_MM
            distance_mm = math.dist(prompt.at_mm, other.at_mm)
            if distance_mm < max(0.5, least_mm - _APART_SIGMAS * math.hypot(prompt.sigma_mm, other.sigma_mm)):
                field = hint.place_field(number)
                says = (
                    f"{field}: {distance_mm:.1f} mm from here hint {first} tells a base, and two stand "
                    f"{least_mm:.0f} mm apart at least: leave one out"
                )
                raise BadInput(says, field=field, value=list(hint.at_mm or hint.at_px or ()))
        if hint.is_base:
            earlier.append((number, prompt, radius_mm))


def say_by_hand(state: TableState) -> tuple[str, ...]:
    """A sentence about the told bases whose rims nothing shows; nothing where there is none."""
    by_hand = [m for m in state.miniatures if m.placement == "by-hand"]
    if not by_hand:
        return ()
    sigmas = [math.sqrt(float(np.trace(m.covariance())) / 2) for m in by_hand]
    where = [f"{x:.0f}, {y:.0f} mm +- {s:.1f}" for (x, y), s in zip((m.at_mm for m in by_hand), sigmas, strict=True)]
    return (f"no rim that fits shows where a base was told, so it stands there by hand: {'; '.join(where)}",)


def _single(hints: Sequence[Hint]) -> Iterator[tuple[int, Hint]]:
    """The hints of one place, each with its number."""
    return ((number, hint) for number, hint in enumerate(hints) if hint.regiment is None)


def _on_ground(at_px: Point, ground: GroundMap, *, view: View, field: str) -> Point:
    """The place of the table that a pixel shows: of all surfaces the highest that lies there. Raises: BadInput."""
    u, v = at_px
    check_in_picture(at_px, view.camera.image_size, field=field)
    heights = {surface_mm for surface_mm, _ in ground.surfaces((0.0, 0.0, *view.table_mm))}
    for surface_mm in sorted(heights, reverse=True):
        x, y = view.intersect_plane([at_px], z_mm=surface_mm)[0, :2].tolist()
        if math.isfinite(x) and abs(ground.under((x, y)).surface_mm - surface_mm) < _SAME_SURFACE_MM:
            return x, y
    raise BadInput(f"{field}: {u:.0f}, {v:.0f} px shows no place of the table", field=field, value=[u, v])


def apply_hints(
    image: Image, bases: Sequence[MeasuredBase], hints: Sequence[Hint], prompts: Sequence[Prompt], *,
    candidates: Sequence[Candidate], catalogue: Catalogue, view: View, standing: Sequence[MeasuredBase] = (),
    expected: Mapping[Base, int] | None = None,
) -> tuple[MeasuredBase, ...]:  # fmt: skip
    """The bases of a picture and of its hints: each told place holds one, no denied place does.

    `standing`: members of units that were pointed at as a whole; `expected`: how many of each size the lists name.
    """
    said = list(zip(prompts, hints, strict=True))
    denied = [prompt.at_mm for prompt, hint in said if not hint.is_base]
    kept = [measured for measured in bases if not any(is_inside(at, measured.fit) for at in denied)]
    pointed_mm = [prompt.at_mm for prompt, hint in said if hint.is_base]
    neighbours = [measured.fit for measured in kept if not any(is_inside(at, measured.fit) for at in pointed_mm)]
    picture = _Picture(image, candidates, catalogue, view, kept, neighbours, expected or {})
    confirmed = list(standing)
    for prompt, hint in said:
        if hint.is_base:
            confirmed.append(_confirm(prompt, hint.base, confirmed, picture))
    room = [measured for measured in kept if not any(do_overlap(measured.fit, other.fit) for other in confirmed)]
    return *confirmed, *room


@dataclass(frozen=True)
class _Picture:
    """One picture, and all that is known of it so far."""

    image: Image
    candidates: Sequence[Candidate]
    catalogue: Catalogue
    view: View
    measured: Sequence[MeasuredBase]
    neighbours: Sequence[BaseFit]  # of these, what nobody points at
    expected: Mapping[Base, int]

    def size_priors(self) -> dict[Base, float]:
        """How usual each size is on this table: by the catalogue, the lists, and how many of it were measured."""
        standing = Counter(measured.fit.base for measured in self.measured)
        return self.catalogue.log_priors(standing, self.expected)


def _confirm(prompt: Prompt, base: Base | None, confirmed: Sequence[MeasuredBase], picture: _Picture) -> MeasuredBase:
    """The base that a person points at: as it was measured, measured again, or placed by hand.

    It stands beside what was measured around, not upon it, unless a size was told that has no room there, or whose rim
    the picture shows better.
    """
    taken = [other.fit for other in confirmed]
    around = [*taken, *(other for other in picture.neighbours if base is None or _has_room_beside(prompt, base, other))]

    def has_room(fit: BaseFit) -> bool:
        return not any(do_overlap(fit, other) for other in around)

    def explains_more(fit: BaseFit) -> bool:
        rivals = [other for other in around if do_overlap(fit, other)]
        return base is not None and all(_rim_score(fit) > _rim_score(other) for other in rivals)

    known = _pointed_at(prompt, [measured for measured in picture.measured if base in (None, measured.fit.base)])
    if known is not None and not any(do_overlap(known.fit, other) for other in taken):
        return replace(known, placement="measured")
    sizes = measure_prompt(
        picture.image, prompt, (base,) if base else picture.catalogue.bases, candidates=picture.candidates,
        log_priors=picture.size_priors(), view=picture.view,
    )  # fmt: skip
    fit = likeliest_fit([sized for sized in sizes if has_room(sized.fit)])
    fit = fit or likeliest_fit([sized for sized in sizes if explains_more(sized.fit)])
    if fit is None:
        size = base or next(
            (sized.fit.base for sized in sizes if has_room(place_by_hand(prompt, sized.fit.base))), None
        )
        size = size or min(picture.catalogue.bases, key=size_mm)
        return MeasuredBase(_draw_aside(place_by_hand(prompt, size), around, prompt), None, placement="by-hand")
    (facing,) = estimate_facings(picture.image, [fit], view=picture.view)
    return MeasuredBase(fit, facing or facing_of_outline(fit), placement="measured")


def _has_room_beside(prompt: Prompt, base: Base, other: BaseFit) -> bool:
    """Whether a base of this size may stand beside another, turned any way, wherever the finger may mean."""
    inscribed = place_by_hand(prompt, RoundBase(diameter_mm=2 * inradius_mm(base)))
    return signed_distance_mm(inscribed, other)[0] > -MOST_OVERLAP_MM - _MEANT_SIGMAS * prompt.sigma_for(base)


def _rim_score(fit: BaseFit) -> float:
    """Evidence over the whole length of its rim."""
    return rim_evidence(fit) * fit.size_mm


def _draw_aside(fit: BaseFit, around: Sequence[BaseFit], prompt: Prompt) -> BaseFit:
    """The base where it overlaps none of these, as near as may be to where the finger points; there, where none is."""
    drawn, reach_mm = fit, _MEANT_SIGMAS * prompt.sigma_for(fit.base)
    for _ in range(_ASIDE_STEPS):
        over = [(gap, along) for gap, along in (signed_distance_mm(other, drawn) for other in around) if gap < 0]
        if not over:
            break
        gap_mm, along = min(over, key=lambda each: each[0])
        x, y = (drawn.at_mm - gap_mm * along).tolist()
        drawn = replace(drawn, at_mm=(x, y))
    is_free = not any(do_overlap(drawn, other) for other in around)
    return drawn if is_free and math.dist(drawn.at_mm, prompt.at_mm) <= reach_mm else fit


def place_by_hand(prompt: Prompt, base: Base) -> BaseFit:
    """A base that stands where a person points, with the finger's doubt; how it is turned nobody knows."""
    return BaseFit(
        base=base, at_mm=prompt.at_mm, profile=PROFILES[0], ground=prompt.ground,
        covariance_mm2=np.eye(2) * prompt.sigma_for(base) ** 2, support=0.0, strength=0.0, bias_mm=0.0,
        rim_width_mm=_RIM_MM, turn_sigma_rad=_UNKNOWN_TURN_RAD,
    )  # fmt: skip


def _pointed_at(prompt: Prompt, bases: Sequence[MeasuredBase]) -> MeasuredBase | None:
    """The measured base that is meant: the nearest whose middle is within reach of the finger."""
    near = [
        measured
        for measured in bases
        if math.dist(prompt.at_mm, measured.fit.at_mm) < _MEANT_SIGMAS * prompt.sigma_for(measured.fit.base)
    ]
    return min(near, key=lambda measured: math.dist(prompt.at_mm, measured.fit.at_mm), default=None)
