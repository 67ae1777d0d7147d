"""Tap measurement: the outline of each size in play that explains the rim best where a person taps on a picture.

A picture is opened once and tapped often: what the networks see in it is asked once.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from calibration.arrays import Floats, Image
from calibration.image import check_in_picture, check_rim
from calibration.view import View
from models.base import Base, Catalogue, RectBase, RoundBase, catalogue_of
from models.miniature import Miniature
from models.tap import PictureCrop, SizedOutline, Tap, TapMeasurement
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import Point
from vision.candidates import Candidate
from vision.detection.network.finder import NetworkFinder
from vision.detection.network.proposals import PlacedProposal
from vision.hint_prior import learn_prior, search_gaps
from vision.hinted_bases import place_by_hand, place_prompt
from vision.measurement.base_fit import BaseFit, fit_base, size_mm
from vision.measurement.silhouette import base_silhouette
from vision.prompted_fit import OUTLINE_POINTS, Prompt, SizedFit, footprint_of, measure_prompt
from vision.rectification.ground_height import GroundMap
from vision.rectification.picture_crop import crop_around
from vision.state_assembly import MeasuredBase

_NEAR_MM = 120.0  # so far around a tap what the networks see bears on it
_LOUPE_SPARE_MM, _LEAST_LOUPE_MM = 25.0, 60.0  # round the largest outline that is likely; from the tap
_LIKELY = 0.05
_STILL_MM = 2.0  # so near its place a fit is of the same base
_UNKNOWN_RAD = math.pi / 2  # a turn in more doubt than that is told to nobody


class TappedPicture:
    """One picture in which bases are measured where somebody taps."""

    def __init__(self, image: Image, *, view: View) -> None:
        self.image, self.view = image, view
        self._fits: dict[tuple[Base, Point, float | None], BaseFit] = {}  # of what stands or was denied

    @cached_property
    def proposals(self) -> tuple[PlacedProposal, ...]:
        """What the networks take for bases, all over the table."""
        finder = NetworkFinder(catalogue_of(), self.view.layout)
        return finder.propose(self.image, camera=self.view.camera, pose=self.view.pose)

    def measure(self, tap: Tap, *, name: str, catalogue: Catalogue, log_priors: Mapping[Base, float]) -> TapMeasurement:
        """Each size with its probability and outline, likeliest first. `log_priors`: how usual the sizes are.

        Raises: BadInput naming the field that points off the table or the picture.
        """
        prompt = self._place(tap)
        bases = (tap.base,) if tap.base is not None else catalogue.bases
        sizes = measure_prompt(
            self.image,
            prompt,
            bases,
            candidates=self._candidates_near(prompt.at_mm, catalogue),
            log_priors=log_priors,
            view=self.view,
        )
        if not sizes and tap.base is not None:
            sizes = (SizedFit(place_by_hand(prompt, tap.base), False, 1.0),)
        outlines = tuple(
            self._outline(sized if sized.is_measured else replace(sized, fit=_by_hand(sized.fit, prompt)))
            for sized in sizes
        )
        (at_px,) = self.view.project([[*prompt.at_mm, prompt.ground.surface_mm]]).tolist()
        return TapMeasurement(
            picture=name, size_px=self.view.camera.image_size, at_mm=prompt.at_mm, at_px=at_px, candidates=outlines,
            crop=self._crop(prompt, outlines),
        )  # fmt: skip

    def search_gaps(
        self, standing: Sequence[Miniature], unconfirmed: Sequence[UnconfirmedBase],
        denied: Sequence[UnconfirmedBase], *, catalogue: Catalogue,
    ) -> tuple[SizedOutline, ...]:  # fmt: skip
        """Which of what is unconfirmed stand there by what persons said: those of `standing` that have a placement were
        confirmed, `denied` are none."""
        bases = [MeasuredBase(self._stand(m, m.facing_deg), None, placement=m.placement) for m in standing]
        prior = learn_prior(self.image, bases, [self._stand(u, u.turn_deg) for u in denied], view=self.view)
        if prior is None:
            return ()
        near = {c: None for u in unconfirmed for c in self._candidates_near(u.at_mm, catalogue)}
        searched, _ = search_gaps(
            self.image, prior, bases, unconfirmed, candidates=tuple(near), catalogue=catalogue, view=self.view,
            denied_mm=[u.at_mm for u in denied],
        )  # fmt: skip
        fits = [base.fit for base in searched[len(bases) :]]
        shares = [dict(fit.size_shares).get(fit.base, 1.0) for fit in fits]
        return tuple(self._outline(SizedFit(fit, True, share)) for fit, share in zip(fits, shares, strict=True))

    def _stand(self, thing: Miniature | UnconfirmedBase, turn_deg: float | None) -> BaseFit:
        """It as the picture shows it there, else where it is said to stand."""
        key = thing.base, thing.at_mm, turn_deg
        if key not in self._fits:
            prompt = Prompt(thing.at_mm, GroundMap(self.view.layout).under(thing.at_mm))
            stood = replace(place_by_hand(prompt, thing.base), turn_rad=math.radians(turn_deg or 0.0))
            self._fits[key] = stood if isinstance(thing.base, RectBase) else self._refit(stood)
        return self._fits[key]

    def _refit(self, stood: BaseFit) -> BaseFit:
        assert not isinstance(stood.base, RectBase)
        fit = fit_base(
            self.image, start_mm=stood.at_mm, base=stood.base, ground=stood.ground, camera=self.view.camera,
            pose=self.view.pose, turn_rad=stood.turn_rad,
        )  # fmt: skip
        return stood if fit is None or math.dist(fit.at_mm, stood.at_mm) > _STILL_MM else fit

    def _place(self, tap: Tap) -> Prompt:
        turn_rad = None if tap.turn_deg is None else math.radians(tap.turn_deg)
        at_px, field = tap.at_px, None
        for number, place in enumerate(tap.rim_px):
            check_in_picture(place, self.view.camera.image_size, field=f"rim_px.{number}")
        if tap.at_mm is None and at_px is None:
            check_rim(tap.rim_px, field="rim_px")
            at_px, field = _circle_centre(np.array(tap.rim_px)), "rim_px"
        placed = place_prompt(at_mm=tap.at_mm, at_px=at_px, sigma_mm=tap.sigma_mm, view=self.view, field=field)
        rim_mm: tuple[Point, ...] = ()
        if tap.rim_px:
            on_ground = self.view.intersect_plane(tap.rim_px, z_mm=placed.ground.surface_mm)[:, :2]
            rim_mm = tuple((x, y) for x, y in on_ground.tolist())
        return replace(placed, rim_mm=rim_mm, eye_mm=self.view.pose.centre_mm, turn_rad=turn_rad)

    def _candidates_near(self, at_mm: Point, catalogue: Catalogue) -> tuple[Candidate, ...]:
        near = tuple(each for each in self.proposals if math.dist(each.proposal.at, at_mm) < _NEAR_MM)
        return NetworkFinder(catalogue, self.view.layout).candidates(near)

    def _outline(self, sized: SizedFit) -> SizedOutline:
        fit, ground_mm = sized.fit, sized.fit.ground.surface_mm
        (at_px,) = self.view.project([[*fit.at_mm, ground_mm]]).tolist()
        footprint = footprint_of(fit)
        seen = footprint
        if not isinstance(fit.base, RectBase):
            seen = base_silhouette(
                fit.base, fit.at_mm, turn_rad=fit.turn_rad, profile=fit.profile, ground_mm=ground_mm,
                camera_mm=np.array(self.view.pose.centre_mm), count=OUTLINE_POINTS,
            ).points_mm  # fmt: skip
        seen_px = self.view.project(np.column_stack([seen, np.full(len(seen), ground_mm)]))
        is_turned = not isinstance(fit.base, RoundBase) and fit.turn_sigma_rad < _UNKNOWN_RAD
        return SizedOutline(
            base=fit.base, probability=sized.probability, is_measured=sized.is_measured, at_mm=fit.at_mm, at_px=at_px,
            turn_deg=math.degrees(fit.turn_rad) % 180.0 if is_turned else None,
            sigma_mm=math.sqrt(float(np.trace(fit.covariance_mm2)) / 2), outline_mm=_points(footprint),
            outline_px=_points(seen_px),
        )  # fmt: skip

    def _crop(self, prompt: Prompt, outlines: tuple[SizedOutline, ...]) -> PictureCrop:
        """The picture's own pixels around the tap, with room for what may stand there."""
        likely = [size_mm(each.base) for each in outlines if each.probability >= _LIKELY]
        reach_mm = max(_LEAST_LOUPE_MM, max(likely, default=0.0) + _LOUPE_SPARE_MM)
        return crop_around(prompt.at_mm, reach_mm, ground_mm=prompt.ground.surface_mm, view=self.view)


def _by_hand(fit: BaseFit, prompt: Prompt) -> BaseFit:
    """The base where the hand placed it, turned as the picture or the hand suggests."""
    turn_rad = fit.turn_rad if prompt.turn_rad is None else prompt.turn_rad
    return replace(place_by_hand(prompt, fit.base), turn_rad=turn_rad, turn_sigma_rad=fit.turn_sigma_rad)


def _circle_centre(points: Floats) -> Point:
    """Centre of the circle that fits these points best, algebraically."""
    middle = points.mean(axis=0)
    x, y = (points - middle).T
    solved = np.linalg.lstsq(np.column_stack([2 * x, 2 * y, np.ones(len(x))]), x**2 + y**2, rcond=None)[0]
    return float(middle[0] + solved[0]), float(middle[1] + solved[1])


def _points(rows: Floats) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in np.round(rows, 2).tolist())
