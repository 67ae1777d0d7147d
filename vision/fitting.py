"""The fit of one base of known size, in plain numpy. `kernel/` is its compiled twin; a test holds them to each other.

Two steps run round a base: the outline against the ground, and the inner edge of the rim against the basing. The
outline alone may vanish (a dark rim on a dark mat), and then the inner edge would be taken for it; so both are fitted
together, the width of the rim being the one thing about a base that no catalogue tells.

Where the camera looks on a base's side, light may part the side from the top, and the side may hardly be told from the
ground: then a third step, the rim's own edge, stands out and the foot does not. That is another way to read the
picture, tried beside the plain one.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from models.base import OvalBase, RoundBase
from models.camera import Camera, CameraPose
from models.words import Point
from vision.outline import PROFILES, RimProfile, outline_of_base
from vision.profile import OFFSETS_MM, Edges, column_of, edges_across
from vision.refining import NOISE, Guess, Refined, refined
from vision.rim_edges import felt, inner_edge_mm, moves_of, shows_side
from vision.traits import Traits, traits_of

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Search:
    """Places and turns that are tried round a start: `reach_mm` each way."""

    reach_mm: float
    step_mm: float
    turns_rad: tuple[float, ...] = (0.0,)


def _turns(*degrees: float) -> tuple[float, ...]:
    return tuple(np.radians(degrees).tolist())


ROUGH, FINE = Search(3.6, 0.4), Search(0.6, 0.1)
ROUGH_OVAL = Search(3.2, 0.8, _turns(-5.0, -2.5, 0.0, 2.5, 5.0))
FINE_OVAL = Search(0.8, 0.2, _turns(-1.0, -0.5, 0.0, 0.5, 1.0))
FINER_LIPS_MM = (-0.2, -0.1, 0.0, 0.1, 0.2)
NEARER_PER_MM = 1e-3  # of equals the nearer place is meant
INNER_SHARE = 0.85  # of the two edges in the search: either may be the one that can be seen
# Where a side may have a tone of its own, foot or rim must be believed by so much more than the foot alone: one of the
# two is often near a step. Chosen on own drawn tables: fine, coarse and slantwise.
SHADED_PRICE = 0.25
LEAST = 0.22  # a first search that finds less than this finds no base
# Which make it is the rim hardly tells: of two that are alike by less than this a base lies between where both put it.
# Chosen on own drawn tables, where taking the likelier one was right of 53 in a hundred.
LIKENESS = 0.06
CLOSE_MAKE = 0.08  # makes whose first search is this close are both fitted to the end
SUPPORT_MM = 2.0  # the strongest step within about this far
ON_RIM_MM = 0.4  # speaks for the outline where it is this close


@dataclass(frozen=True)
class Start:
    """Where a base may lie, within about 3.5 mm and 6 degrees, and into how many points its outline is taken apart.

    A first search that finds less than `least` finds no base. It is of one of `makes`.
    """

    base: RoundBase | OvalBase
    at_mm: Point
    turn_rad: float
    ground_mm: float
    points: int
    least: float = LEAST
    makes: tuple[RimProfile, ...] = PROFILES


@dataclass(frozen=True)
class Fitted:
    """What is known of the base if it is of this make."""

    profile: RimProfile
    at_mm: Point
    turn_rad: float
    covariance_mm2: Floats
    turn_sigma_rad: float
    support: float
    strength: float
    bias_mm: float
    lip_mm: float
    scatter_mm: float
    traits: Traits


def fitted(image: Picture, start: Start, *, camera: Camera, pose: CameraPose) -> Fitted | None:
    """The base near the start, in whichever makes explain its rim; None if none does."""
    eyes = [
        _Eye(image, start, make, camera, pose, is_shaded=shaded) for shaded in (False, True) for make in start.makes
    ]
    rough = list(_roughly(eyes, start.least - CLOSE_MAKE))
    best = max(guess.score for _, _, guess in rough)
    if best < start.least:
        return None
    likely = [
        (eye, at, turn, guess)
        for eye, (at, turn, guess) in zip(eyes, rough, strict=True)
        if guess.score > best - CLOSE_MAKE
    ]
    return _between([eye.fine(at, turn, guess) for eye, at, turn, guess in likely])


def _roughly(eyes: "Sequence[_Eye]", least: float) -> "Iterator[tuple[Floats, float, Guess]]":
    """Where each way of looking puts the base, as long as any finds so much: the others will find no more."""
    best = -math.inf
    for eye in eyes:
        found = eye.rough()
        yield found
        best = max(best, found[2].score)
        if best < least:
            return


def _between(fits: "list[_Fine]") -> Fitted:
    """What the likeliest make tells, placed between all of them, each counting by how likely it is; the more they
    differ, the greater the doubt."""
    best = max(fits, key=_Fine.likeness)
    weights = np.exp([(one.likeness() - best.likeness()) / LIKENESS for one in fits])
    weights /= weights.sum()
    places = np.array([one.place for one in fits])
    mean = weights @ places
    each = zip(weights, fits, places - mean, strict=True)
    spread = np.sum([weight * (one.covariance + np.outer(off, off)) for weight, one, off in each], axis=0)
    return replace(
        best.told(), at_mm=(float(mean[0]), float(mean[1])), turn_rad=float(mean[2]),
        covariance_mm2=spread[:2, :2], turn_sigma_rad=0.0 if best.eye.is_round else float(np.sqrt(spread[2, 2])),
    )  # fmt: skip


@dataclass(frozen=True)
class _Eye:
    """Looks at one picture for one base of one make, whose side is of its top's tone or (`is_shaded`) of its own."""

    image: Picture
    start: Start
    profile: RimProfile
    camera: Camera
    pose: CameraPose
    is_shaded: bool

    @property
    def is_round(self) -> bool:
        return isinstance(self.start.base, RoundBase)

    def edges(self, at: Floats, turn_rad: float) -> Edges:
        ground_mm = self.start.ground_mm
        outline = outline_of_base(
            self.start.base,
            (float(at[0]), float(at[1])),
            turn_rad=turn_rad,
            profile=self.profile,
            ground_mm=ground_mm,
            camera_mm=np.array(self.pose.centre_mm),
            count=self.start.points,
        )
        return edges_across(self.image, outline, ground_mm=ground_mm, camera=self.camera, pose=self.pose)

    def rough(self) -> tuple[Floats, float, Guess]:
        """The best place within a few millimetres, and the best turn within a few degrees.

        An oval is looked for again from there: shift and turn together move its rim otherwise than each alone.
        """
        at, turn, guess = self._about(np.asarray(self.start.at_mm, np.float64), self.start.turn_rad)
        return (at, turn, guess) if self.is_round else self._about(at, turn)

    def _about(self, start: Floats, turn_rad: float) -> tuple[Floats, float, Guess]:
        search = ROUGH if self.is_round else ROUGH_OVAL
        lips = self.profile.lips_mm
        guess = _searched(self.edges(start, turn_rad), start, search, lips_mm=lips, is_shaded=self.is_shaded)
        return start + guess.shift_mm, turn_rad + guess.turn_rad, guess

    def fine(self, at: Floats, turn_rad: float, rough: Guess) -> "_Fine":
        """The least-squares fit of all rim points near a rough place."""
        edges = self.edges(at, turn_rad)
        lips = tuple(rough.lip_mm + step for step in FINER_LIPS_MM)
        search = FINE if self.is_round else FINE_OVAL
        guess = _searched(edges, at, search, lips_mm=lips, is_shaded=self.is_shaded)
        ahead = (at - np.array(self.pose.centre_mm[:2])) / (self.pose.centre_mm[2] - self.start.ground_mm)
        found = refined(edges, guess, at, turns=not self.is_round, slant=ahead, is_shaded=self.is_shaded)
        return _Fine(self, edges, at, turn_rad, guess, found)


@dataclass(frozen=True)
class _Fine:
    """One make fitted to the end."""

    eye: _Eye
    edges: Edges
    at: Floats
    turn_rad: float
    guess: Guess
    found: Refined

    def likeness(self) -> float:
        """How well this make explains the rim: steps are strong where it has edges, and scatter little about them."""
        return self.guess.score - self.found.scatter_mm

    @property
    def place(self) -> Floats:
        """x and y in mm, and the turn in radians."""
        return np.array([*(self.at + self.found.state[:2]), self.turn_rad + self.found.state[4]])

    @property
    def covariance(self) -> Floats:
        """Of the place, (3, 3)."""
        return self.found.covariance[np.ix_((0, 1, 4), (0, 1, 4))]

    def told(self) -> Fitted:
        edges, found = self.edges, self.found
        x, y, turn = self.place.tolist()
        return Fitted(
            profile=self.eye.profile,
            at_mm=(x, y),
            turn_rad=turn,
            covariance_mm2=self.covariance[:2, :2],
            turn_sigma_rad=0.0 if self.eye.is_round else float(np.sqrt(found.covariance[4, 4])),
            support=_support(edges, found.outer_mm),
            strength=self.guess.score,
            bias_mm=float(found.state[2]),
            lip_mm=self.guess.lip_mm,
            scatter_mm=found.scatter_mm,
            traits=traits_of(edges, felt(edges.strength), outer_mm=found.outer_mm, inner_mm=found.inner_mm),
        )


def _searched(edges: Edges, centre: Floats, search: Search, *, lips_mm: tuple[float, ...], is_shaded: bool) -> Guess:
    """The shift within reach, the turn, and the rim width, that put most of both edges on strong steps.

    A side that nowhere shows has no tone: nothing is found then.
    """
    if is_shaded and not shows_side(edges).any():
        return Guess(np.zeros(2), 0.0, lips_mm[0], -1.0)
    steps = np.arange(-search.reach_mm, search.reach_mm + search.step_mm / 2, search.step_mm)
    places = np.stack(np.meshgrid(steps, steps, search.turns_rad), axis=-1).reshape(-1, 3)
    inward_mm = np.array([inner_edge_mm(edges, lip_mm) for lip_mm in lips_mm])
    place, lip, score = _best_place(edges, places, moves_of(edges, centre), inward_mm, is_shaded=is_shaded)
    return Guess(places[place, :2], float(places[place, 2]), float(lips_mm[lip]), score)


def _best_place(
    edges: Edges, places: Floats, moves: Floats, inward_mm: Floats, *, is_shaded: bool
) -> tuple[int, int, float]:
    """The numbers of the best place and rim width, and their score."""
    columns = column_of(places @ moves.T)
    cells = np.arange(columns.shape[1]) * len(OFFSETS_MM) + columns  # one number a cell: looked up twice as fast
    outer = felt(edges.strength)
    cost = NEARER_PER_MM * np.hypot(*places[:, :2].T)
    if is_shaded:
        side, crest = shows_side(edges), felt(edges.moved(edges.outline.rim_mm))
        outer = np.where(side[:, None], np.maximum(outer, crest), outer)
        cost += SHADED_PRICE * side.mean()
    best = (0, 0, -1.0)
    for lip, inward in enumerate(inward_mm):
        both = outer + INNER_SHARE * _felt_apart(edges, inward)
        score = both.take(cells).mean(axis=1) - cost
        top = int(score.argmax())
        if score[top] > best[2]:
            best = (top, lip, float(score[top]))
    return best


def _felt_apart(edges: Edges, inward_mm: Floats) -> Floats:
    """For an outline at each offset, how far the step this much further in is believed.

    Only what rises above the valley between the two counts, so that one step is not taken for both.
    """
    inner = edges.moved(inward_mm)
    valley = np.minimum(edges.moved(0.33 * inward_mm), edges.moved(0.67 * inward_mm))
    return felt(np.maximum(inner - valley, 0.0))


def _support(edges: Edges, expected_mm: Floats) -> float:
    """The share of the rim whose strongest step near it lies on the outline."""
    away = OFFSETS_MM[None, :] - expected_mm[:, None]
    near = edges.strength * np.exp(-((away / SUPPORT_MM) ** 2))
    best = np.clip(near.argmax(axis=1), 1, len(OFFSETS_MM) - 2)
    row = np.arange(len(best))
    left, peak, right = (edges.strength[row, best + k] for k in (-1, 0, 1))
    is_peak = (peak >= left) & (peak >= right) & (peak > NOISE)
    return float((is_peak & (np.abs(away[row, best]) < ON_RIM_MM)).mean())
