"""One picture -> one state of the table."""

import math
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.base import Catalogue, OvalBase, RectBase, RoundBase
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.miniature import Matrix2, Miniature
from models.pose import FacingAlternative, Sigma
from models.state import Contact, TableSize, TableState
from models.terrain import Terrain
from models.unit import Unit
from models.units import degrees
from models.words import EditionId, Point
from vision.candidates import AllFinders, Box, Candidate, Finder
from vision.contacts import contacts_of, pushed_apart
from vision.cores import at_once, both
from vision.detector.finder import AdvisedFinder, NetworkFinder
from vision.doubt import common_covariance, common_modes, own_covariance
from vision.facing import Facing, facings_of
from vision.fit import RimFit, fit_rim
from vision.gap import gap_mm
from vision.makes import measured_as_made
from vision.ovals import OvalFinder
from vision.ranked.finding import BlockFinder
from vision.ranked.fitting import FittedBlock
from vision.ranked.units import MEET_MM, Place, measured_blocks, ranked_bases
from vision.resembling import with_resemblance
from vision.rings import RingFinder
from vision.selecting import is_another, least_of, leaves_no_doubt, leaves_no_room, selected
from vision.templates import is_of_template

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

_FITTED_FOR_EACH = 4  # thread at once: few enough that little is fitted in vain


@dataclass(frozen=True)
class SeenBase:
    """A base measured in one picture: where, which size, facing where."""

    fit: RimFit
    facing: Facing | None
    place: Place | None = None


def locate(
    image: Picture,
    *,
    camera: Camera,
    pose: CameraPose,
    layout: Layout,
    catalogue: Catalogue,
    edition: EditionId,
    finder: Finder | None = None,
) -> TableState:
    """The table in this picture: every base that could be found, each with its doubt."""
    finder = finder or every_finder(catalogue, layout)
    seen = seen_in(image, finder, catalogue=catalogue, camera=camera, pose=pose, layout=layout)
    return state_of(named(seen), camera=camera, pose=pose, layout=layout, edition=edition)


def seen_in(
    image: Picture,
    finder: Finder,
    *,
    catalogue: Catalogue,
    camera: Camera,
    pose: CameraPose,
    layout: Layout,
    boxes: tuple[Box, ...] | None = None,
) -> tuple[SeenBase, ...]:
    """Every base that could be found, or those in these boxes and who stands in one block with any of them."""
    ranks = BlockFinder(catalogue, layout)

    def found() -> tuple[tuple[Candidate, ...], tuple[RimFit, ...]]:
        proposed = finder.find(image, camera=camera, pose=pose, boxes=boxes)
        return proposed, bases_of(image, proposed, camera=camera, pose=pose, layout=layout)

    (proposed, bases), begun = both(found, lambda: ranks.begun(image, camera=camera, pose=pose, boxes=boxes))
    facings, blocks = both(
        lambda: facings_of(image, bases, camera=camera, pose=pose),
        lambda: measured_blocks(image, ranks.found(begun, proposed), camera=camera, pose=pose, others=bases),
    )
    seen = tuple(SeenBase(fit, facing) for fit, facing in zip(bases, facings, strict=True))
    return with_ranked(seen, blocks)


def every_finder(catalogue: Catalogue, layout: Layout) -> Finder:
    """The network and the classical finders together."""
    return AdvisedFinder(NetworkFinder(catalogue, layout), classical_finder(catalogue, layout))


def classical_finder(catalogue: Catalogue, layout: Layout) -> Finder:
    """Looks for round bases, and for oval ones where the catalogue holds any: those take longer to find."""
    rings = RingFinder(catalogue, layout)
    has_ovals = any(isinstance(base, OvalBase) for base in catalogue.bases)
    return AllFinders(rings, OvalFinder(catalogue, layout)) if has_ovals else rings


def bases_of(
    image: Picture, candidates: tuple[Candidate, ...], *, camera: Camera, pose: CameraPose, layout: Layout
) -> tuple[RimFit, ...]:
    """The round and oval candidates that turned out to be bases."""
    fits = fits_of(image, candidates, camera=camera, pose=pose)
    found = selected(fits, table_mm=layout.table_mm)
    found = selected(with_resemblance(image, fits, found, camera=camera, pose=pose), table_mm=layout.table_mm)
    bases = [fit for fit in found if not is_of_template(image, fit, camera=camera, pose=pose)]
    return measured_as_made(image, bases, candidates, camera=camera, pose=pose)


def fits_of(
    image: Picture, candidates: tuple[Candidate, ...], *, camera: Camera, pose: CameraPose
) -> tuple[RimFit, ...]:
    """What round and oval candidates are fitted by, bases or not; where one is beyond doubt, no other is tried.

    A few are fitted at once, and those that prove to have had no room are left out: the same as one after the other.
    """
    fits: list[RimFit] = []
    sure: list[RimFit] = []
    left = deque(one for one in candidates if not isinstance(one.base, RectBase) and not is_another(one))
    with ThreadPoolExecutor(at_once()) as pool:
        while now := _next_with_room(left, sure):
            known = len(sure)
            for one, fit in zip(now, pool.map(lambda one: _fit_of(image, one, camera, pose), now), strict=True):
                if fit is not None and _has_room(one, sure[known:]):
                    fits.append(fit)
                    sure += [fit] if leaves_no_doubt(fit) else []
    return tuple(fits)


def _next_with_room(left: deque[Candidate], sure: Sequence[RimFit]) -> list[Candidate]:
    """A few candidates that have room beside those that are sure, taken off what is left."""
    found: list[Candidate] = []
    while left and len(found) < _FITTED_FOR_EACH * at_once():
        one = left.popleft()
        found += [one] if _has_room(one, sure) else []
    return found


def _has_room(candidate: Candidate, sure: Sequence[RimFit]) -> bool:
    return not any(leaves_no_room(fit, candidate) for fit in sure)


def _fit_of(image: Picture, one: Candidate, camera: Camera, pose: CameraPose) -> RimFit | None:
    assert not isinstance(one.base, RectBase)
    fit = fit_rim(
        image,
        start_mm=one.at_mm,
        base=one.base,
        ground=one.ground,
        camera=camera,
        pose=pose,
        turn_rad=one.turn_rad,
        least=least_of(one),
    )
    return fit and replace(fit, opinion=one.opinion)


def with_ranked(seen: tuple[SeenBase, ...], blocks: Sequence[FittedBlock]) -> tuple[SeenBase, ...]:
    """These, and the members of the blocks; what those stand on is left out."""
    found = ranked_bases(blocks, [one.fit for one in seen])
    clear = [one for one in seen if not any(gap_mm(one.fit, other.fit)[0] < MEET_MM for other in found)]
    return *clear, *(SeenBase(one.fit, one.facing, one.place) for one in found)


def named(seen: tuple[SeenBase, ...]) -> dict[str, SeenBase]:
    """Ids in reading order: from the far left to the near right."""
    ordered = sorted(seen, key=lambda one: (-round(one.fit.at_mm[1] / 60), one.fit.at_mm[0]))
    return {f"m{k + 1}": one for k, one in enumerate(ordered)}


def state_of(
    seen: dict[str, SeenBase], *, camera: Camera, pose: CameraPose, layout: Layout, edition: EditionId
) -> TableState:
    """The state that these measured bases make, overlaps resolved and contacts named."""
    fits = {id_: one.fit for id_, one in seen.items()}
    own = np.array([own_covariance(fit, pose=pose) for fit in fits.values()]).reshape(-1, 2, 2)
    modes = common_modes(fits, camera=camera, pose=pose)
    measured_mm = np.array([fit.at_mm for fit in fits.values()]).reshape(-1, 2)
    at_mm, contacts = _side_by_side(fits, measured_mm, own)
    miniatures = tuple(
        _miniature(id_, one, at_mm[k], own[k] + common_covariance(id_, modes))
        for k, (id_, one) in enumerate(seen.items())
    )
    return TableState(
        edition=edition,
        table=TableSize(width_mm=layout.table_mm[0], depth_mm=layout.table_mm[1]),
        miniatures=miniatures,
        units=tuple(Unit(id=id_) for id_ in dict.fromkeys(one.unit for one in miniatures) if id_ is not None),
        terrain=tuple(Terrain(**piece.model_dump()) for piece in layout.terrain),
        contacts=contacts,
        common_mm=modes,
    )


def _side_by_side(fits: dict[str, RimFit], measured_mm: Floats, own: Floats) -> tuple[Floats, tuple[Contact, ...]]:
    """Where all stand once no round base overlaps another, and which round bases touch."""
    rounds = [(k, id_, fit.base) for k, (id_, fit) in enumerate(fits.items()) if isinstance(fit.base, RoundBase)]
    chosen = [k for k, _, _ in rounds]
    ids, bases = tuple(id_ for _, id_, _ in rounds), tuple(base for _, _, base in rounds)
    at_mm = measured_mm.copy()
    at_mm[chosen] = pushed_apart(measured_mm[chosen], np.array([base.radius_mm for base in bases]), own[chosen])
    return at_mm, contacts_of(ids, measured_mm[chosen], bases, own[chosen])


def _miniature(id_: str, seen: SeenBase, at_mm: Floats, covariance: Floats) -> Miniature:
    fit, facing = seen.fit, seen.facing
    return Miniature(
        id=id_,
        base=fit.base,
        at_mm=_point(at_mm),
        elevation_mm=fit.ground.surface_mm,
        facing_deg=_facing_deg(facing),
        facing_alternatives=_alternatives(facing),
        sigma=Sigma(facing_deg=_sigma_deg(facing), elevation_mm=fit.ground.sigma_mm),
        covariance_mm2=_matrix(covariance),
        **_in_unit(seen.place),
    )


def _in_unit(place: Place | None) -> dict[str, Any]:
    """The words of a place in a unit."""
    return {} if place is None else {"unit": f"u{place.unit + 1}", "rank": place.rank, "file": place.file}


def _facing_deg(facing: Facing | None) -> float | None:
    """None when nothing, or only a line and not its sense, is known."""
    return round(degrees(facing.facing_rad), 2) if facing and not facing.is_either_way else None


def _alternatives(facing: Facing | None) -> tuple[FacingAlternative, ...]:
    if facing is None or not facing.is_either_way:
        return ()
    ways = facing.every_way
    return tuple(FacingAlternative(facing_deg=round(degrees(rad), 2), probability=round(p, 4)) for rad, p in ways)


def _sigma_deg(facing: Facing | None) -> float:
    return round(math.degrees(facing.sigma_rad), 2) if facing else 0.0


def _point(at_mm: Floats) -> Point:
    return round(float(at_mm[0]), 3), round(float(at_mm[1]), 3)


def _matrix(covariance: Floats) -> Matrix2:
    (a, b), (_, d) = np.round(covariance, 6).tolist()
    return (a, b), (b, d)
