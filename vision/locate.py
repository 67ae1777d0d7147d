"""One picture -> one state of the table: the stages of a frame, in order."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from calibration.arrays import Image
from calibration.view import View
from models.base import Base, Catalogue
from models.hint import Hint
from models.layout import Layout
from models.state import TableState
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import EditionId, Point
from vision.candidates import Box, Candidate, Finder
from vision.detection.network.finder import NetworkFinder
from vision.facing.facing_estimate import estimate_facings
from vision.hint_prior import HintPrior, learn_prior, search_gaps
from vision.hinted_bases import apply_hints, place_hints
from vision.measurement.base_distance import is_inside, signed_distance_mm
from vision.measurement.base_fit import BaseFit, inradius_mm
from vision.parallel import run_both
from vision.ranked.block_finder import BlockFinder
from vision.ranked.block_fit import FittedBlock
from vision.ranked.ranked_units import MEET_MM, measure_blocks, ranked_bases
from vision.selection.army_colour_likelihood import add_colour_log_odds
from vision.selection.candidate_fits import are_rectangles_in_play, doubt_rectangles, fit_candidates
from vision.selection.network_bases import unconfirmed_bases, widen_by_disagreement
from vision.selection.non_maximum_suppression import nms_score, select_bases
from vision.selection.shared_rim_profile import SizeReadings, read_shared_profiles
from vision.selection.size_posterior import infer_sizes
from vision.state_assembly import MeasuredBase, assign_ids, state_of
from vision.tapped_regiment import regiment_bases

_DENIED_MM = 4.0  # a finger: what is proposed so near a denied place is what was meant


def locate(
    image: Image,
    *,
    view: View,
    catalogue: Catalogue,
    edition: EditionId,
    finder: Finder | None = None,
    hints: Sequence[Hint] = (),
    expected: Mapping[Base, int] | None = None,
) -> TableState:
    """Localisation: every base that the picture shows, with its covariance, as one state of the table.

    `hints`: where persons say that a base stands, or that none does; `expected`: how many of each size the lists name.
    Raises: BadInput naming a hint off the table.
    """
    finder = finder or NetworkFinder(catalogue, view.layout)
    seen = sight(image, finder, catalogue=catalogue, view=view)
    return describe(image, seen, hints, catalogue=catalogue, view=view, edition=edition, expected=expected)


def describe(
    image: Image, seen: "Sighting", hints: Sequence[Hint], *, catalogue: Catalogue, view: View, edition: EditionId,
    expected: Mapping[Base, int] | None = None,
) -> TableState:  # fmt: skip
    """The state of a table that was looked at, with what persons say of it. Raises: as `locate`."""
    if hints:
        seen = with_hints(image, seen, hints, catalogue=catalogue, view=view, expected=expected)
    state = state_of(assign_ids(settle_sizes(seen.bases, expected or {})), view=view, edition=edition)
    return state.with_sightings(looked_for=catalogue.bases, unconfirmed=seen.unconfirmed())


def settle_sizes(bases: tuple[MeasuredBase, ...], expected: Mapping[Base, int]) -> tuple[MeasuredBase, ...]:
    """The bases, none of which is in doubt of its size where as many of each size stand as the lists name."""
    if Counter(base.fit.base for base in bases) != Counter(expected):
        return bases
    return tuple(replace(base, fit=replace(base.fit, size_shares=())) for base in bases)


def with_hints(
    image: Image, seen: "Sighting", hints: Sequence[Hint], *, catalogue: Catalogue, view: View,
    expected: Mapping[Base, int] | None = None,
) -> "Sighting":  # fmt: skip
    """The sighting with each told place held by a base, and no denied one."""
    prompts, single = place_hints(hints, view=view), [hint for hint in hints if hint.regiment is None]
    bases = apply_hints(
        image, seen.bases, single, prompts, candidates=seen.candidates, catalogue=catalogue, view=view,
        standing=_regiments(image, seen, hints, view=view), expected=expected,
    )  # fmt: skip
    denied = tuple(prompt.at_mm for prompt, hint in zip(prompts, single, strict=True) if not hint.is_base)
    hinted = replace(seen, bases=bases, denied_mm=denied)
    prior = learn_prior(image, bases, dismissed_fits(seen, denied), view=view)
    return hinted if prior is None else with_prior(image, hinted, prior, catalogue=catalogue, view=view)


def _regiments(image: Image, seen: "Sighting", hints: Sequence[Hint], *, view: View) -> tuple[MeasuredBase, ...]:
    """The members of all units that were pointed at, numbered on from those that were measured."""
    first = 1 + max((base.place.unit for base in seen.bases if base.place is not None), default=-1)
    units = [(number, hint.regiment) for number, hint in enumerate(hints) if hint.regiment is not None]
    return tuple(
        base
        for unit, (number, regiment) in enumerate(units, start=first)
        for base in regiment_bases(image, regiment, unit=unit, view=view, prefix=f"{number}.regiment.")
    )


def with_prior(image: Image, seen: "Sighting", prior: HintPrior, *, catalogue: Catalogue, view: View) -> "Sighting":
    """The sighting with its gaps searched again by what persons said of this table, in this picture or another."""
    bases, unconfirmed = search_gaps(
        image, prior, seen.bases, seen.unconfirmed(), candidates=seen.candidates, catalogue=catalogue, view=view,
        denied_mm=seen.denied_mm,
    )  # fmt: skip
    return replace(seen, bases=bases, still_open=unconfirmed)


def dismissed_fits(seen: "Sighting", denied_mm: Sequence[Point]) -> tuple[BaseFit, ...]:
    """What was taken for a base at these places, or came nearest to one."""
    measured = [base.fit for base in seen.bases]
    fits = []
    for at_mm in denied_mm:
        near = [fit for fit in measured if is_inside(at_mm, fit)] or [fit for fit in seen.fits if is_inside(at_mm, fit)]
        fits += [max(near, key=nms_score)] if near else []
    return tuple(fits)


@dataclass(frozen=True)
class Sighting:
    """What one picture shows: the bases, and all candidates that were looked at."""

    bases: tuple[MeasuredBase, ...]
    candidates: tuple[Candidate, ...]
    fits: tuple[BaseFit, ...]  # of all candidates, bases or not
    denied_mm: tuple[Point, ...] = ()  # where no base stands, as somebody says
    still_open: tuple[UnconfirmedBase, ...] | None = None  # once its gaps were searched again

    def unconfirmed(self) -> tuple[UnconfirmedBase, ...]:
        """What may be a base besides, but for what lies where somebody says that none does."""
        if self.still_open is not None:
            return self.still_open
        weak = unconfirmed_bases(self.candidates, measured=[base.fit for base in self.bases])
        return tuple(candidate for candidate in weak if not self._is_denied(candidate))

    def _is_denied(self, candidate: UnconfirmedBase) -> bool:
        reach_mm = max(inradius_mm(candidate.base), _DENIED_MM)
        return any(math.dist(candidate.at_mm, at) <= reach_mm for at in self.denied_mm)


def sight(
    image: Image,
    finder: Finder,
    *,
    catalogue: Catalogue,
    view: View,
    boxes: tuple[Box, ...] | None = None,
    standing: Iterable[BaseFit] = (),
) -> Sighting:
    """Detection and measurement, and what was looked at on the way. `standing`: bases known outside of the boxes.

    Facings of round and oval bases are estimated while blocks of rectangles are measured.
    """
    candidates = finder.find(image, camera=view.camera, pose=view.pose, boxes=boxes)
    tried = fit_candidates(image, candidates, view=view)
    known = tuple(standing)
    infer = partial(infer_sizes, image, candidates=candidates, tried=tried, view=view, known_fits=known)
    fits = infer(select_and_read(image, tried, candidates, view=view))
    if not are_rectangles_in_play(candidates, fits, standing=known, catalogue=catalogue):
        candidates = doubt_rectangles(candidates)
    facings, blocks = run_both(
        lambda: estimate_facings(image, fits, view=view),
        lambda: measure_blocks(image, BlockFinder(catalogue, view.layout).find(candidates), view=view, others=fits),
    )
    measured = tuple(MeasuredBase(fit, facing) for fit, facing in zip(fits, facings, strict=True))
    bases = _widen_by_disagreement(merge_ranked(measured, blocks), candidates)
    sized = infer([SizeReadings(base.fit) for base in bases])
    return Sighting(tuple(replace(base, fit=fit) for base, fit in zip(bases, sized, strict=True)), candidates, tried)


def measure_and_select(image: Image, candidates: tuple[Candidate, ...], *, view: View) -> tuple[BaseFit, ...]:
    """Measurement, selection and refit: the round and oval candidates that turn out to be bases."""
    fits = fit_candidates(image, candidates, view=view)
    readings = select_and_read(image, fits, candidates, view=view)
    return infer_sizes(image, readings, candidates, fits, view=view)


def select_and_read(
    image: Image, fits: tuple[BaseFit, ...], candidates: tuple[Candidate, ...], *, view: View
) -> tuple[SizeReadings, ...]:
    """Selection and refit of fitted candidates.

    They are selected twice, the second time by the army's colours too, and fitted again with the rim profiles they
    share.
    """
    bases = select_bases(fits, table_mm=view.layout.table_mm)
    weighed = add_colour_log_odds(image, fits, bases, view=view)
    bases = select_bases(weighed, table_mm=view.layout.table_mm)
    return read_shared_profiles(image, bases, candidates, view=view)


def merge_ranked(seen: tuple[MeasuredBase, ...], blocks: Sequence[FittedBlock]) -> tuple[MeasuredBase, ...]:
    """Merge: these bases and the members of the blocks; bases on which a member stands are left out."""
    members = ranked_bases(blocks, [base.fit for base in seen])
    clear = [
        base for base in seen if not any(signed_distance_mm(base.fit, other.fit)[0] < MEET_MM for other in members)
    ]
    return *clear, *(MeasuredBase(member.fit, member.facing, member.place) for member in members)


def _widen_by_disagreement(
    bases: tuple[MeasuredBase, ...], candidates: tuple[Candidate, ...]
) -> tuple[MeasuredBase, ...]:
    units = [None if base.place is None else base.place.unit for base in bases]
    fits = widen_by_disagreement([base.fit for base in bases], candidates, units=units)
    return tuple(replace(base, fit=fit) for base, fit in zip(bases, fits, strict=True))


FinderMaker = Callable[[Catalogue, Layout], Finder]
