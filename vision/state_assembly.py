"""State assembly: measured bases -> TableState, their overlaps resolved, contacts and covariances named."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.arrays import Floats
from calibration.view import View
from models.base import BaseAlternative, RoundBase
from models.hint import Placement
from models.miniature import Matrix2, Miniature
from models.pose import FacingAlternative, Sigma
from models.state import Contact, TableSize, TableState
from models.terrain import Terrain
from models.unit import Unit
from models.unit_conversion import degrees
from models.vocabulary import EditionId, Point
from vision.facing.facing_estimate import Facing
from vision.measurement.base_fit import BaseFit, size_mm
from vision.measurement.contacts import contacts_of, resolve_overlaps
from vision.measurement.covariance import common_covariance, common_modes, independent_covariance
from vision.ranked.ranked_units import Place

_SURE_OF_SIZE = 0.975  # as of answers
_LEAST_SHARE = 0.02  # rarer sizes are not told


@dataclass(frozen=True)
class MeasuredBase:
    """A base measured in one picture: its fit, its facing and its place in a unit."""

    fit: BaseFit
    facing: Facing | None
    place: Place | None = None
    placement: Placement | None = None  # where a person says that it stands there


def assign_ids(seen: tuple[MeasuredBase, ...]) -> dict[str, MeasuredBase]:
    """Identifiers in reading order: from the far left to the near right."""
    ordered = sorted(seen, key=lambda base: (-round(base.fit.at_mm[1] / 60), base.fit.at_mm[0]))
    return {f"m{k + 1}": base for k, base in enumerate(ordered)}


def state_of(seen: dict[str, MeasuredBase], *, view: View, edition: EditionId) -> TableState:
    """The table state of these measured bases, overlaps resolved and contacts named."""
    fits = {id_: base.fit for id_, base in seen.items()}
    own = np.array([independent_covariance(fit, pose=view.pose) for fit in fits.values()]).reshape(-1, 2, 2)
    modes = common_modes(fits, camera=view.camera, pose=view.pose)
    measured_mm = np.array([fit.at_mm for fit in fits.values()]).reshape(-1, 2)
    at_mm, contacts = _resolve_contacts(fits, measured_mm, own)
    miniatures = tuple(
        _miniature(
            id_, base, at_mm[k], own[k] + common_covariance(id_, modes) + _size_variance_mm2(base.fit) * np.eye(2)
        )
        for k, (id_, base) in enumerate(seen.items())
    )
    return TableState(
        edition=edition,
        table=TableSize(width_mm=view.layout.table_mm[0], depth_mm=view.layout.table_mm[1]),
        miniatures=miniatures,
        units=tuple(
            Unit(id=id_) for id_ in dict.fromkeys(miniature.unit for miniature in miniatures) if id_ is not None
        ),
        terrain=tuple(Terrain(**piece.model_dump()) for piece in view.layout.terrain),
        contacts=contacts,
        common_mm=modes,
    )


def _resolve_contacts(fits: dict[str, BaseFit], measured_mm: Floats, own: Floats) -> tuple[Floats, tuple[Contact, ...]]:
    """Where all stand once no round base overlaps another, and which round bases touch."""
    rounds = [(k, id_, fit.base) for k, (id_, fit) in enumerate(fits.items()) if isinstance(fit.base, RoundBase)]
    chosen = [k for k, _, _ in rounds]
    ids, bases = tuple(id_ for _, id_, _ in rounds), tuple(base for _, _, base in rounds)
    at_mm = measured_mm.copy()
    at_mm[chosen] = resolve_overlaps(measured_mm[chosen], np.array([base.radius_mm for base in bases]), own[chosen])
    return at_mm, contacts_of(ids, measured_mm[chosen], bases, own[chosen])


def _miniature(id_: str, seen: MeasuredBase, at_mm: Floats, covariance: Floats) -> Miniature:
    fit, facing = seen.fit, seen.facing
    return Miniature(
        id=id_,
        base=fit.base,
        base_alternatives=_base_alternatives(fit),
        at_mm=_rounded_point(at_mm),
        elevation_mm=fit.ground.surface_mm,
        facing_deg=_facing_deg(facing),
        facing_alternatives=_facing_alternatives(facing),
        sigma=Sigma(facing_deg=_sigma_deg(facing), elevation_mm=fit.ground.sigma_mm),
        covariance_mm2=_rounded_matrix(covariance),
        placement=seen.placement,
        **_unit_fields(seen.place),
    )


def _base_alternatives(fit: BaseFit) -> tuple[BaseAlternative, ...]:
    """All sizes that it may have, likeliest first, unless one is sure."""
    shares = sorted(fit.size_shares, key=lambda share: -share[1])
    if not shares or shares[0][1] >= _SURE_OF_SIZE:
        return ()
    return tuple(
        BaseAlternative(base=base, probability=round(share, 3)) for base, share in shares if share >= _LEAST_SHARE
    )


def _size_variance_mm2(fit: BaseFit) -> float:
    """Of its radius: rules measure to rims, and where those lie is as much in doubt as the size."""
    radii = [(size_mm(base) / 2, share) for base, share in fit.size_shares]
    return sum(share * (radius_mm - size_mm(fit.base) / 2) ** 2 for radius_mm, share in radii)


def _unit_fields(place: Place | None) -> dict[str, Any]:
    """The words of a place in a unit."""
    return {} if place is None else {"unit": f"u{place.unit + 1}", "rank": place.rank, "file": place.file}


def _facing_deg(facing: Facing | None) -> float | None:
    """None when nothing, or only a line and not its sense, is known."""
    return round(degrees(facing.facing_rad), 2) if facing and not facing.is_ambiguous else None


def _facing_alternatives(facing: Facing | None) -> tuple[FacingAlternative, ...]:
    if facing is None or not facing.is_ambiguous:
        return ()
    ways = facing.alternatives
    return tuple(FacingAlternative(facing_deg=round(degrees(rad), 2), probability=round(p, 4)) for rad, p in ways)


def _sigma_deg(facing: Facing | None) -> float:
    return round(math.degrees(facing.sigma_rad), 2) if facing else 0.0


def _rounded_point(at_mm: Floats) -> Point:
    return round(float(at_mm[0]), 3), round(float(at_mm[1]), 3)


def _rounded_matrix(covariance: Floats) -> Matrix2:
    (a, b), (_, d) = np.round(covariance, 6).tolist()
    return (a, b), (b, d)
