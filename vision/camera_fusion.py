"""Camera fusion: two cameras' states of one moment become one, each base weighed by its covariance."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from calibration.pose.pose_fit import chi_square_limit
from models.base import RoundBase
from models.errors import BadState
from models.miniature import Matrix2, Miniature
from models.pose import FacingAlternative
from models.state import CommonMode, TableState
from vision.measurement.contacts import contacts_of

_NEAR_MM = 12.0  # bases of one size farther apart than this, and than their doubt, are two
_SIGMAS = 4.0


@dataclass(frozen=True)
class Disagreement:
    """Disagreement on one base beyond what the cameras' doubt allows; the surer one was kept."""

    id: str
    apart_mm: float
    sigmas: float
    is_facing: bool = False


@dataclass(frozen=True)
class Overlap:
    """Overlap: how far apart the cameras put the bases that both see (RMS), and how far they were expected to.

    `shift_mm` moves the second camera's bases onto the first's, as nearly as may be. Chance alarms once in 500 times.
    """

    bases: int
    apart_mm: float
    expected_mm: float
    shift_mm: tuple[float, float]
    is_alarming: bool


@dataclass(frozen=True)
class FusedState:
    """Fused state; `came_from` holds, for each of its ids, the id in either state or None where it was not seen."""

    state: TableState
    overlap: Overlap
    disagreements: tuple[Disagreement, ...]
    came_from: dict[str, tuple[str | None, str | None]]


@dataclass(frozen=True)
class _Observation:
    """One base as one camera saw it; `modes` moves it by a sigma of each error it shares with that camera's others."""

    miniature: Miniature
    own: Floats  # (2, 2)
    modes: Floats  # (M, 2)

    @property
    def total(self) -> Floats:
        """Own and shared covariance together, (2, 2)."""
        return np.asarray(self.own + self.modes.T @ self.modes)

    @property
    def at_mm(self) -> Floats:
        """The place, (2,)."""
        return np.array(self.miniature.at_mm)


@dataclass(frozen=True)
class _FusedBase:
    """A base of the merged state, and how much of either camera's place went into it."""

    miniature: Miniature
    own: Floats
    shares: tuple[Floats, Floats]  # (2, 2) each, summing to one
    modes: tuple[Floats, Floats]


def fuse_states(
    first: TableState, second: TableState, *, names: tuple[str, str] = ("a", "b"), sigmas: float = _SIGMAS
) -> FusedState:
    """Fuse what either camera saw. Raises: BadState for states of different tables or editions.

    Bases are matched by size and place. Errors that a camera's bases share stay apart for each camera, as common modes
    under its name. A base on which the cameras differ by more than `sigmas` is never averaged: the surer place is kept,
    its doubt reaches the other, and it is named.
    """
    _check_same_table(first, second)
    seen = _observe(first), _observe(second)
    pairs = _match_bases(*seen, sigmas=sigmas)
    ids = _assign_ids(seen, pairs)
    joined, disagreements = {}, []
    for id_, (i, j) in ids.items():
        joined[id_], wrong = _fuse(id_, None if i is None else seen[0][i], None if j is None else seen[1][j], sigmas)
        disagreements += wrong
    came_from = {
        id_: (None if i is None else seen[0][i].miniature.id, None if j is None else seen[1][j].miniature.id)
        for id_, (i, j) in ids.items()
    }
    overlap = _measure_overlap([(seen[0][i], seen[1][j]) for i, j in pairs])
    return FusedState(_make_state(first, (first, second), joined, names), overlap, tuple(disagreements), came_from)


def _check_same_table(first: TableState, second: TableState) -> None:
    for field in ("edition", "book", "table"):
        ours, theirs = getattr(first, field), getattr(second, field)
        if ours != theirs:
            raise BadState(f"the two states differ in {field}: {ours} and {theirs}", field=field, value=str(theirs))


def _observe(state: TableState) -> list[_Observation]:
    pairs = []
    for miniature in state.miniatures:
        modes = np.array([mode.shift_mm.get(miniature.id, (0.0, 0.0)) for mode in state.common_mm]).reshape(-1, 2)
        rest = np.array(miniature.covariance()) - modes.T @ modes
        values, vectors = np.linalg.eigh((rest + rest.T) / 2)
        pairs.append(_Observation(miniature, (vectors * np.maximum(values, 0)) @ vectors.T, modes))
    return pairs


def _match_bases(
    first: Sequence[_Observation], second: Sequence[_Observation], *, sigmas: float
) -> list[tuple[int, int]]:
    """The nearest first: bases of one size that are one base."""
    near = []
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            apart_mm = float(np.linalg.norm(a.at_mm - b.at_mm))
            doubt_mm = sigmas * float(np.sqrt(np.trace(a.total + b.total)))
            if a.miniature.base == b.miniature.base and apart_mm < max(_NEAR_MM, doubt_mm):
                near.append((apart_mm, i, j))
    taken: tuple[set[int], set[int]] = (set(), set())
    pairs = []
    for _, i, j in sorted(near):
        if i not in taken[0] and j not in taken[1]:
            pairs.append((i, j))
            taken[0].add(i)
            taken[1].add(j)
    return pairs


def _assign_ids(
    seen: tuple[list[_Observation], list[_Observation]], pairs: Sequence[tuple[int, int]]
) -> dict[str, tuple[int | None, int | None]]:
    """The first camera's ids; what it does not see keeps the second's, or gets a new one where that is taken."""
    partner = dict(pairs)
    ids: dict[str, tuple[int | None, int | None]] = {
        base.miniature.id: (i, partner.get(i)) for i, base in enumerate(seen[0])
    }
    matched = set(partner.values())
    for j, base in enumerate(seen[1]):
        if j not in matched:
            id_, number = base.miniature.id, len(ids)
            while id_ in ids:
                number += 1
                id_ = f"m{number}"
            ids[id_] = (None, j)
    return ids


def _fuse(
    id_: str, a: _Observation | None, b: _Observation | None, sigmas: float
) -> tuple[_FusedBase, list[Disagreement]]:
    if a is None or b is None:
        return _keep_single(id_, a, b), []
    apart = b.at_mm - a.at_mm
    both = a.total + b.total
    off = float(np.sqrt(apart @ np.linalg.solve(both + 1e-12 * np.eye(2), apart)))
    if off > sigmas:
        return _keep_surer(id_, a, b, apart), [Disagreement(id_, float(np.linalg.norm(apart)), off)]
    to_second = np.eye(2) / 2
    if np.any(both):
        to_second = np.asarray(np.linalg.solve(both + 1e-12 * np.eye(2), a.total).T, np.float64)
    to_first = np.eye(2) - to_second
    own = to_first @ a.own @ to_first.T + to_second @ b.own @ to_second.T
    facing, wrong = _fuse_facing(id_, a.miniature, b.miniature, sigmas)
    second_mm = a.at_mm + to_second @ apart
    return _FusedBase(_place_at(facing, id_, second_mm), own, (to_first, to_second), (a.modes, b.modes)), wrong


def _keep_single(id_: str, a: _Observation | None, b: _Observation | None) -> _FusedBase:
    only = a or b
    assert only is not None
    shares = (np.eye(2), np.zeros((2, 2))) if a else (np.zeros((2, 2)), np.eye(2))
    none = np.zeros((0, 2))
    modes = (a.modes if a else none, b.modes if b else none)
    return _FusedBase(_place_at(only.miniature, id_, only.at_mm), only.own, shares, modes)


def _keep_surer(id_: str, a: _Observation, b: _Observation, apart: Floats) -> _FusedBase:
    """The place of the one with less doubt, its doubt widened to reach the other's."""
    kept = _keep_single(id_, a, None) if np.trace(a.total) <= np.trace(b.total) else _keep_single(id_, None, b)
    return _FusedBase(kept.miniature, kept.own + np.outer(apart, apart), kept.shares, kept.modes)


def _fuse_facing(id_: str, a: Miniature, b: Miniature, sigmas: float) -> tuple[Miniature, list[Disagreement]]:
    """Everything but the place: the one whose facing is surer; both facings where the two contradict each other."""
    known = [base for base in (a, b) if base.facing_deg is not None]
    if not known:
        return (a if a.facing_alternatives or not b.facing_alternatives else b), []
    best = min(known, key=lambda base: base.sigma.facing_deg)
    if len(known) < 2:
        return best, []
    turn = (_facing_deg(b) - _facing_deg(a) + 180) % 360 - 180
    doubt = max(float(np.hypot(a.sigma.facing_deg, b.sigma.facing_deg)), 1e-6)
    if abs(turn) <= max(sigmas * doubt, 1e-6):
        return best, []
    ways = tuple(FacingAlternative(facing_deg=_facing_deg(base), probability=0.5) for base in (a, b))
    changed = best.model_dump() | {"facing_deg": None, "facing_alternatives": ways}
    return Miniature.model_validate(changed), [Disagreement(id_, 0.0, abs(turn) / doubt, is_facing=True)]


def _facing_deg(miniature: Miniature) -> float:
    return 0.0 if miniature.facing_deg is None else miniature.facing_deg


def _place_at(miniature: Miniature, id_: str, at_mm: Floats) -> Miniature:
    place = (round(float(at_mm[0]), 3), round(float(at_mm[1]), 3))
    return Miniature.model_validate(miniature.model_dump() | {"id": id_, "at_mm": place})


def _measure_overlap(pairs: Sequence[tuple[_Observation, _Observation]]) -> Overlap:
    """All differences at once against what own and shared errors allow."""
    if not pairs:
        return Overlap(0, 0.0, 0.0, (0.0, 0.0), is_alarming=False)
    apart = np.concatenate([b.at_mm - a.at_mm for a, b in pairs])
    expected = np.zeros((len(apart), len(apart)))
    for which in range(2):
        shared = np.concatenate([pair[which].modes.T for pair in pairs])
        expected += shared @ shared.T
        for k, pair in enumerate(pairs):
            expected[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] += pair[which].own
    inverse = np.linalg.inv(expected + 1e-9 * np.eye(len(apart)))
    together = np.tile(np.eye(2), (len(pairs), 1))
    pull = together.T @ inverse @ together
    shift = np.linalg.solve(pull, together.T @ inverse @ apart)
    return Overlap(
        len(pairs),
        float(np.sqrt(apart @ apart / len(pairs))),
        float(np.sqrt(np.trace(expected) / len(pairs))),
        _to_pair(-shift),
        is_alarming=bool(apart @ inverse @ apart > chi_square_limit(len(apart)))
        or bool(shift @ pull @ shift > chi_square_limit(2)),
    )


def _make_state(
    base: TableState, states: tuple[TableState, TableState], joined: dict[str, _FusedBase], names: tuple[str, str]
) -> TableState:
    modes = tuple(
        CommonMode(
            name=f"{name}:{mode.name}",
            shift_mm={
                id_: _to_pair(fused.shares[which] @ fused.modes[which][k])
                for id_, fused in joined.items()
                if fused.modes[which].size
            },
        )
        for which, (name, state) in enumerate(zip(names, states, strict=True))
        for k, mode in enumerate(state.common_mm)
    )
    miniatures = tuple(
        Miniature.model_validate(fused.miniature.model_dump() | {"covariance_mm2": _total_covariance(fused)})
        for fused in joined.values()
    )
    round_ = {id_: fused for id_, fused in joined.items() if isinstance(fused.miniature.base, RoundBase)}
    touching = contacts_of(
        tuple(round_),
        np.array([fused.miniature.at_mm for fused in round_.values()]).reshape(-1, 2),
        tuple(fused.miniature.base for fused in round_.values() if isinstance(fused.miniature.base, RoundBase)),
        np.array([fused.own for fused in round_.values()]).reshape(-1, 2, 2),
    )
    fields = {name: getattr(base, name) for name in type(base).model_fields}
    return TableState(**(fields | {"miniatures": miniatures, "common_mm": modes, "contacts": touching}))


def _total_covariance(fused: _FusedBase) -> Matrix2:
    """Own and shared doubt together."""
    total = fused.own.copy()
    for share, modes in zip(fused.shares, fused.modes, strict=True):
        moved = share @ modes.T
        total += moved @ moved.T
    (a, b), (_, d) = np.round(total, 9).tolist()
    return (a, b), (b, d)


def _to_pair(shift: Floats) -> tuple[float, float]:
    x, y = map(float, shift)
    return x, y
