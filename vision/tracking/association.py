"""Data association: who is who after a change, as hypotheses with their probabilities.

Costs are negative logarithms of probabilities; what they are made of is said at each constant. Groups in which nobody
can be taken for anybody of another group are judged apart, small ones by counting all ways.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.arrays import Floats, Floats32, Image, Mask
from calibration.camera_model.projection import project
from models.camera import Camera, CameraPose
from vision.measurement.base_distance import signed_distance_mm
from vision.measurement.base_fit import BaseFit
from vision.rectification.tone_curve import tone_mapped
from vision.state_assembly import MeasuredBase
from vision.tracking.linear_assignment import linear_assignment

_DEEPEST = 45.0  # grey levels, on the scale of `tone_mapped`, by which a shadow darkens all colours about alike
_SHADED = 0.2

Appearance = Floats

_INSIDE = (0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.88)  # of the radius: sculpt and basing
_RIM = (0.9, 0.94, 0.98)
_SPOKES = 48
_SHARES = (8, 20, 35, 50, 65, 80, 92)  # percentiles: where on the base a colour shows depends on where it stands
SURE = 0.95  # a naming less likely than this is asked about
_LOOK_SIGMA = 3.2  # grey levels by which one miniature differs from itself elsewhere on the table
_TAIL = 3.0  # as a Student's t of about so many degrees: some differ far more than most
_STILL_MM, _NUDGED_MM = 1.5, 12.0
_STAYED, _NUDGED = -6.0, -1.0  # nobody puts another miniature back to the millimetre; to the centimetre some do
_UNLIKE_ENOUGH = 12.0  # what looks no more alike than that was changed for another, or lies under something
PER_MM = 0.0015  # of equals the nearer is meant
_LIFTED = 0.3  # on the table before, elsewhere on the table now
_LEFT = 3.0  # on the table before, and gone
_RETURNS = 1.5  # taken off earlier, and back
NEW = 8.0  # never seen before
LISTED = 4.0  # when somebody said how many there are, and all are known, or some have still to come
_EXCLUDED = 14.0  # was seen standing in its old place when the other already stood in its own
_NEVER = 1e6
_SO_UNLIKELY = 7.0  # above the best: not worth counting
_COUNTED = 4  # a group of so many known and found is counted in full
_LEAST_SHARE = 0.02
_SHARED = 0.2  # of both radii, by which bases overlap that cannot both stand there


Presence = Literal["standing", "hidden", "in-hand", "removed"]


def appearance_of(
    image: Image, fit: BaseFit, *, camera: Camera, pose: CameraPose, light: Floats32 | None = None
) -> Appearance:
    """Descriptor (42,) in grey levels: of sculpt and basing, and of the rim, seven percentiles of each colour.

    `light` (3,) says how much brighter it is there than in the light in which looks are compared.
    """
    angle = np.arange(_SPOKES) * (2 * np.pi / _SPOKES)
    radii = np.array(_INSIDE + _RIM)[:, None] * fit.inradius_mm
    x, y = fit.at_mm[0] + radii * np.cos(angle), fit.at_mm[1] + radii * np.sin(angle)
    height = np.full(x.size, fit.ground.surface_mm + fit.profile.top_mm)
    at_px = project(np.column_stack([x.ravel(), y.ravel(), height]), camera=camera, pose=pose)
    maps = at_px.reshape(len(radii), _SPOKES, 2).astype(np.float32)
    gains = np.ones(3, np.float32) if light is None else light
    seen = np.asarray(cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), np.float32)
    colours = tone_mapped(seen / gains)
    parts = (colours[: len(_INSIDE)], colours[len(_INSIDE) :])
    levels = [np.percentile(part.reshape(-1, 3), _SHARES, axis=0).ravel() for part in parts]
    return np.concatenate(levels).astype(np.float64)


def appearance_distance(a: Appearance, b: Appearance) -> float:
    """Distance of two descriptors, in grey levels; to stand in a shadow is a small difference."""
    off = a - b
    shade = float(np.clip(np.median(off), -_DEEPEST, _DEEPEST))
    return float(min(np.mean(np.abs(off)), np.mean(np.abs(off - shade)) + _SHADED * abs(shade)))


@dataclass(frozen=True)
class Track:
    """Track of a miniature: how it was measured last, how it looks, and since when it is off the table."""

    id: str
    seen: MeasuredBase
    appearance: Appearance
    away_since_s: float | None = None
    hidden_since_s: float | None = None  # covered by something; it stands where it stood until its place is seen
    lifted_s: float | None = None  # since then in a hand, over the table or beside it

    @property
    def presence(self) -> Presence:
        """Put down again it stands, wherever that is; who comes back from off the table is known all the same."""
        if self.away_since_s is not None:
            return "removed"
        if self.lifted_s is not None:
            return "in-hand"
        return "standing" if self.hidden_since_s is None else "hidden"


@dataclass(frozen=True)
class Hypothesis:
    """Hypothesis: one way to name the found bases of a group (None: new), and its probability among all."""

    ids: tuple[str | None, ...]
    probability: float


@dataclass(frozen=True)
class AmbiguousAssociation:
    """Ambiguous detections, by their places in the list of found ones, and the hypotheses, best first."""

    detections: tuple[int, ...]
    hypotheses: tuple[Hypothesis, ...]


@dataclass(frozen=True)
class Association:
    """Association of the found bases: known ids (None: never seen before), how surely, and what is ambiguous."""

    ids: tuple[str | None, ...]
    probabilities: tuple[float, ...]
    ambiguities: tuple[AmbiguousAssociation, ...]


def associate(
    known: Sequence[Track],
    detections: Sequence[tuple[MeasuredBase, Appearance]],
    *,
    excluded: Mask | None = None,
    favour: Floats | None = None,
    fresh: Floats | None = None,
) -> Association:
    """The likeliest association of known ids with found bases of the same size, and every other that is worth naming.

    `excluded` (known, found): who cannot be whom; `favour`: what else speaks for a pair, taken off its cost;
    `fresh` (found,): what it costs to be nobody known.
    """
    cost = np.array([[_pair_cost(old, new) for new in detections] for old in known]).reshape(
        len(known), len(detections)
    )
    if excluded is not None:
        cost = cost + _EXCLUDED * excluded
    if favour is not None:
        cost = cost - favour
    fresh = np.full(len(detections), NEW) if fresh is None else fresh
    ids: list[str | None] = [None] * len(detections)
    sure = [1.0] * len(detections)
    ambiguities = []
    for rows, columns in _independent_groups(known, cost, fresh):
        hypotheses = _enumerate_hypotheses(known, cost, rows, columns, fresh[list(columns)])
        for k, column in enumerate(columns):
            ids[column] = hypotheses[0].ids[k]
            sure[column] = sum(hypothesis.probability for hypothesis in hypotheses if hypothesis.ids[k] == ids[column])
        if min((sure[column] for column in columns), default=1.0) < SURE:
            ambiguities.append(_find_ambiguity(hypotheses, columns))
    return Association(tuple(ids), tuple(sure), tuple(ambiguities))


def blocks_of(seen: Iterable[MeasuredBase], *, on: Sequence[Track] | None = None) -> set[int]:
    """Blocks of these bases; of those alone that stand where these stood, when they are given."""
    return {base.place.unit for base in seen if base.place is not None and (on is None or is_occupied(base, by=on))}


def displaced_by(blocks: set[int], seen: Iterable[MeasuredBase], standing: Mapping[str, Track]) -> list[str]:
    """Ids whose places are taken by members of these blocks."""
    members = [base for base in seen if base.place is not None and base.place.unit in blocks]
    return [id_ for id_, track in standing.items() if is_occupied(track.seen, by=members)]


def is_occupied(seen: MeasuredBase, *, by: Iterable[MeasuredBase | Track]) -> bool:
    """Whether another stands where this base would."""
    fits = [occupant.seen.fit if isinstance(occupant, Track) else occupant.fit for occupant in by]
    return any(
        signed_distance_mm(seen.fit, fit)[0] < -_SHARED * (seen.fit.inradius_mm + fit.inradius_mm) for fit in fits
    )


def _pair_cost(old: Track, new: tuple[MeasuredBase, Appearance]) -> float:
    seen, appearance = new
    if old.seen.fit.base != seen.fit.base:
        return _NEVER
    unlikely = appearance_cost(appearance_distance(old.appearance, appearance))
    if old.away_since_s is not None:
        return unlikely + _RETURNS
    far_mm = float(np.hypot(*np.subtract(old.seen.fit.at_mm, seen.fit.at_mm)))
    if far_mm < _STILL_MM:
        return min(unlikely, _UNLIKE_ENOUGH) + _STAYED  # whatever lies on it, it stands there
    return unlikely + (_NUDGED if far_mm < _NUDGED_MM else _LIFTED) + PER_MM * far_mm


def appearance_cost(levels: float) -> float:
    """That one miniature looks so unlike itself elsewhere: seldom by much, for it shows other sides in other light."""
    return _TAIL * float(np.log1p(levels**2 / (2 * _TAIL * _LOOK_SIGMA**2)))


def _absence_cost(track: Track) -> float:
    """What it costs that none of the found bases is this one."""
    return 0.0 if track.away_since_s is not None else _LEFT


def _independent_groups(
    known: Sequence[Track], cost: Floats, fresh: Floats
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Rows and columns that may have to do with each other; every column is in one group, rows of none are left out."""
    likely = cost < np.array([_absence_cost(track) + _SO_UNLIKELY for track in known])[:, None] + fresh
    left = set(range(cost.shape[1]))
    while left:
        rows: set[int] = set()
        columns = {min(left)}
        while True:
            more_rows = set(np.flatnonzero(likely[:, sorted(columns)].any(axis=1)).tolist())
            more_columns = columns | set(np.flatnonzero(likely[sorted(more_rows)].any(axis=0)).tolist())
            if (more_rows, more_columns) == (rows, columns):
                break
            rows, columns = more_rows, more_columns
        left -= columns
        yield tuple(sorted(rows)), tuple(sorted(columns))


def _enumerate_hypotheses(
    known: Sequence[Track], cost: Floats, rows: tuple[int, ...], columns: tuple[int, ...], fresh: Floats
) -> list[Hypothesis]:
    """Hypotheses for these columns, the likeliest first; all of a small group, of a large one those near the best."""
    net = cost[np.ix_(rows, columns)] - np.array([_absence_cost(known[row]) for row in rows])[:, None]
    if max(len(rows), len(columns)) <= _COUNTED:
        choices = list(_enumerate_assignments(net, 0, ()))
    else:
        choices = _neighbouring_assignments(net, _best_assignment(net, fresh), fresh)
    paid = np.array([_total_cost(net, choice, fresh) for choice in choices])
    weight = np.exp(-(paid - paid.min()))
    weight /= weight.sum()
    order = np.argsort(-weight, kind="stable")
    names = [tuple(None if row < 0 else known[rows[row]].id for row in choices[k]) for k in order]
    return [Hypothesis(ids, float(weight[k])) for ids, k in zip(names, order, strict=True)]


Assignment = tuple[int, ...]  # for each column the row that is meant, -1 for nobody known


def _total_cost(net: Floats, choice: Assignment, fresh: Floats) -> float:
    return sum(float(fresh[column]) if row < 0 else float(net[row, column]) for column, row in enumerate(choice))


def _enumerate_assignments(net: Floats, column: int, taken: Assignment) -> Iterator[Assignment]:
    if column == net.shape[1]:
        yield taken
        return
    yield from _enumerate_assignments(net, column + 1, (*taken, -1))
    for row in range(net.shape[0]):
        if row not in taken and net[row, column] < _NEVER / 2:
            yield from _enumerate_assignments(net, column + 1, (*taken, row))


def _best_assignment(net: Floats, fresh: Floats) -> Assignment:
    rows, columns = net.shape
    whole = np.full((rows + columns, columns), _NEVER)
    whole[:rows] = net
    whole[rows + np.arange(columns), np.arange(columns)] = fresh
    row_of = {column: row for row, column in linear_assignment(whole)}
    return tuple(row_of[column] if row_of[column] < rows else -1 for column in range(columns))


def _neighbouring_assignments(net: Floats, best: Assignment, fresh: Floats) -> list[Assignment]:
    """The best choice, and every one in which two columns change places or one is somebody else."""
    assignments = {best}
    for a in range(len(best)):
        for row in (-1, *(set(range(net.shape[0])) - set(best))):
            assignments.add((*best[:a], row, *best[a + 1 :]))
        for b in range(a + 1, len(best)):
            other = list(best)
            other[a], other[b] = other[b], other[a]
            assignments.add(tuple(other))
    return sorted(choice for choice in assignments if _total_cost(net, choice, fresh) < _NEVER / 2)


def _find_ambiguity(hypotheses: list[Hypothesis], columns: tuple[int, ...]) -> AmbiguousAssociation:
    """Only the columns on which the hypotheses worth naming differ."""
    likely = [hypothesis for hypothesis in hypotheses if hypothesis.probability >= _LEAST_SHARE] or hypotheses[:2]
    open_ = [k for k in range(len(columns)) if len({hypothesis.ids[k] for hypothesis in likely}) > 1]
    shares: dict[tuple[str | None, ...], float] = {}
    for hypothesis in likely:
        ids = tuple(hypothesis.ids[k] for k in open_)
        shares[ids] = shares.get(ids, 0.0) + hypothesis.probability
    total = sum(shares.values())
    merged = tuple(Hypothesis(ids, share / total) for ids, share in shares.items())
    return AmbiguousAssociation(tuple(columns[k] for k in open_), merged)
