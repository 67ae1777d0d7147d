"""One picture -> one state of the table: the stages of a frame, in order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from calibration.arrays import Image
from models.base import Catalogue
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.state import TableState
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import EditionId
from vision.candidates import Box, Candidate, Finder
from vision.detection.circle_finder import CircleFinder
from vision.detection.network.finder import FusedFinder, NetworkFinder
from vision.facing.facing_estimate import estimate_facings, facing_of_outline
from vision.measurement.base_distance import signed_distance_mm
from vision.measurement.base_fit import BaseFit
from vision.parallel import run_both
from vision.ranked.block_finder import BlockFinder, rectangles_seen
from vision.ranked.block_fit import FittedBlock
from vision.ranked.ranked_units import MEET_MM, measure_blocks, ranked_bases
from vision.selection.army_colour_likelihood import add_colour_log_odds
from vision.selection.candidate_fits import are_rectangles_in_play, doubt_rectangles, fit_candidates
from vision.selection.network_bases import trusted_bases, unconfirmed_bases
from vision.selection.network_disagreement import widen_by_disagreement
from vision.selection.non_maximum_suppression import select_bases
from vision.selection.shared_rim_profile import SizeReadings, read_shared_profiles
from vision.selection.size_posterior import infer_sizes
from vision.selection.template_rejection import is_template_disc
from vision.state_assembly import MeasuredBase, assign_ids, state_of


def locate(
    image: Image,
    *,
    camera: Camera,
    pose: CameraPose,
    layout: Layout,
    catalogue: Catalogue,
    edition: EditionId,
    finder: Finder | None = None,
) -> TableState:
    """Localisation: every base that the picture shows, with its covariance, as one state of the table."""
    finder = finder or fused_finder(catalogue, layout)
    seen = sight(image, finder, catalogue=catalogue, camera=camera, pose=pose, layout=layout)
    state = state_of(assign_ids(seen.bases), camera=camera, pose=pose, layout=layout, edition=edition)
    return state.with_sightings(looked_for=catalogue.bases, unconfirmed=seen.unconfirmed())


@dataclass(frozen=True)
class Sighting:
    """What one picture shows: the bases, and all candidates that were looked at."""

    bases: tuple[MeasuredBase, ...]
    candidates: tuple[Candidate, ...]
    fits: tuple[BaseFit, ...]  # of all candidates, bases or not

    def unconfirmed(self) -> tuple[UnconfirmedBase, ...]:
        """What may be a base besides."""
        return unconfirmed_bases(self.candidates, self.fits, beside=[one.fit for one in self.bases])


def sight(
    image: Image,
    finder: Finder,
    *,
    catalogue: Catalogue,
    camera: Camera,
    pose: CameraPose,
    layout: Layout,
    boxes: tuple[Box, ...] | None = None,
    standing: Iterable[BaseFit] = (),
) -> Sighting:
    """Detection and measurement, and what was looked at on the way. `standing`: bases known outside of the boxes.

    Round and oval bases are measured while blocks of rectangles are detected by their edges, near where a network sees
    any; then facings are estimated while the blocks are completed and measured.
    """
    block_finder = BlockFinder(catalogue, layout)

    candidates = finder.find(image, camera=camera, pose=pose, boxes=boxes)
    near = rectangles_seen(candidates)
    tried, by_edges = run_both(
        lambda: fit_candidates(image, candidates, camera=camera, pose=pose),
        lambda: block_finder.detect_by_edges(image, camera=camera, pose=pose, boxes=boxes, near=near),
    )
    beside = tuple(standing)
    infer = partial(infer_sizes, image, candidates=candidates, tried=tried, camera=camera, pose=pose, beside=beside)
    fits = infer(select_and_read(image, tried, candidates, camera=camera, pose=pose, layout=layout))
    if not are_rectangles_in_play(candidates, fits, standing=beside, catalogue=catalogue):
        candidates, by_edges = doubt_rectangles(candidates), ()
    facings, blocks = run_both(
        lambda: estimate_facings(image, fits, camera=camera, pose=pose),
        lambda: measure_blocks(
            image, block_finder.complete(by_edges, candidates), camera=camera, pose=pose, others=fits
        ),
    )
    measured = tuple(MeasuredBase(fit, facing) for fit, facing in zip(fits, facings, strict=True))
    merged = _widen_by_disagreement(merge_ranked(measured, blocks), candidates)
    seen = trusted_bases(candidates, beside=[one.fit for one in merged])
    bases = *merged, *(MeasuredBase(fit, facing_of_outline(fit)) for fit in seen)
    sized = infer([SizeReadings(one.fit) for one in bases])
    return Sighting(tuple(replace(one, fit=fit) for one, fit in zip(bases, sized, strict=True)), candidates, tried)


def measure_and_select(
    image: Image, candidates: tuple[Candidate, ...], *, camera: Camera, pose: CameraPose, layout: Layout
) -> tuple[BaseFit, ...]:
    """Measurement, selection and refit: the round and oval candidates that turn out to be bases."""
    fits = fit_candidates(image, candidates, camera=camera, pose=pose)
    readings = select_and_read(image, fits, candidates, camera=camera, pose=pose, layout=layout)
    return infer_sizes(image, readings, candidates, fits, camera=camera, pose=pose)


def select_and_read(
    image: Image, fits: tuple[BaseFit, ...], candidates: tuple[Candidate, ...], *, camera: Camera, pose: CameraPose,
    layout: Layout,
) -> tuple[SizeReadings, ...]:  # fmt: skip
    """Selection and refit of fitted candidates.

    They are selected twice, the second time by the army's colours too, and fitted again with the rim profiles they
    share.
    """
    bases = select_bases(fits, table_mm=layout.table_mm)
    weighed = add_colour_log_odds(image, fits, bases, camera=camera, pose=pose)
    bases = select_bases(weighed, table_mm=layout.table_mm)
    discs = [fit for fit in bases if not is_template_disc(image, fit, camera=camera, pose=pose)]
    return read_shared_profiles(image, discs, candidates, camera=camera, pose=pose)


def merge_ranked(seen: tuple[MeasuredBase, ...], blocks: Sequence[FittedBlock]) -> tuple[MeasuredBase, ...]:
    """Merge: these bases and the members of the blocks; bases on which a member stands are left out."""
    found = ranked_bases(blocks, [one.fit for one in seen])
    clear = [one for one in seen if not any(signed_distance_mm(one.fit, other.fit)[0] < MEET_MM for other in found)]
    return *clear, *(MeasuredBase(one.fit, one.facing, one.place) for one in found)


def _widen_by_disagreement(
    bases: tuple[MeasuredBase, ...], candidates: tuple[Candidate, ...]
) -> tuple[MeasuredBase, ...]:
    units = [None if one.place is None else one.place.unit for one in bases]
    fits = widen_by_disagreement([one.fit for one in bases], candidates, units=units)
    return tuple(replace(one, fit=fit) for one, fit in zip(bases, fits, strict=True))


def fused_finder(catalogue: Catalogue, layout: Layout) -> Finder:
    """Sensor fusion: the networks and the classical finder of rings as one finder."""
    return FusedFinder(NetworkFinder(catalogue, layout), CircleFinder(catalogue, layout))
