"""Front edge: the posterior of a block's front, from paint on its edges and the shape of its formation.

Paint seldom is on every base, and only the rear rank may be short. A front that is nearly sure is given alone.
"""

import math
from collections import Counter
from collections.abc import Collection

import numpy as np

from calibration.arrays import Floats
from vision.ranked.block import STEPS
from vision.ranked.block_fit import LATER_ROUNDS, FittedBlock
from vision.ranked.side_profiles import OFFSETS_MM, symmetry_turns
from vision.rectification.tone_curve import tint_weighted

Cell = tuple[int, int]

_FULL = 0.4  # of units whose rearmost rank is as long as the others
_HOLE = math.log(0.03)  # for each base that lacks elsewhere, or stands where none belongs
_SURE = 0.975  # the least probability of a front that is told as the one: that from which the referee says yes
_BAND_MM = (-1.3, -0.3)  # of the rim, from its top edge
# What each clue weighs, as `python -m benchmarks.detection.front_edge_weights` finds it on own tables: how surely the
# block was laid as painted there, on the last look; how far that edge's colour stands out; the shape; both kinds of
# paint together.
_WEIGHTS = np.array([0.19, 0.47, 1.87, 2.86])
_MOST_ODDS = 6.0  # of the layers, for or against: sides err together
_MOST_FORMED = 1.9  # of the shape, against: hands hide bases too, so alone it never tells squares' front
_FAINT = 4.0  # contrast, on the scale of `tint_weighted`, that tells little
_FEW = 1.0  # bases at an edge, of which half is believed: one figure that hangs over a rim makes a contrast of its own
_BOTH = 3.0  # of the log of contrasts against the odds of the layers: the lesser counts,
_AGREE_FROM, _AGREE = 0.8, 1.6  # from none to all, as hardly anything but paint is seen by both


def formation_log_odds(cells: Collection[Cell]) -> Floats:
    """Log odds of this shape, (4,), by quarter turns of the front anticlockwise from where columns run.

    `cells`: columns ahead and rows to the left. One rank says nothing.

    Source: Warhammer 9th edition 1.61, "Forming Units", p. 11.
    """
    return np.array([_shape_log_odds(ranks_and_files(cells, quarter)) for quarter in range(4)])


def ranks_and_files(cells: Collection[Cell], quarter: int) -> list[Cell]:
    """Rank and file of each cell, from the front and from the left as a block sees it that faces this way."""
    turned = [_rotate_cell(cell, quarter) for cell in cells]
    front, left = max(ahead for ahead, _ in turned), max(aside for _, aside in turned)
    return [(front - ahead, left - aside) for ahead, aside in turned]


def _rotate_cell(cell: Cell, quarter: int) -> Cell:
    for _ in range(quarter % 4):
        cell = cell[1], -cell[0]
    return cell


def _shape_log_odds(places: Collection[Cell]) -> float:
    count = Counter(rank for rank, _ in places)
    last, files = max(count), 1 + max(file for _, file in places)
    if last == 0:
        return 0.0
    lacking = [files - count[rank] for rank in range(last)]
    wrong = min(lacking[0], count[0]) + sum(lacking[1:])  # a few before the front rank may be somebody else
    return wrong * _HOLE + math.log(_FULL if count[last] == files else 1 - _FULL)


def certain_front(posterior: Floats) -> int | None:
    """The front of this posterior (4,) that is nearly sure, if one is."""
    best = int(posterior.argmax())
    return best if posterior[best] >= _SURE else None


def front_posterior(fitted: FittedBlock) -> Floats:
    """Posterior of each front, (4,), in quarter turns anticlockwise from where the members' depth runs."""
    ways = list(symmetry_turns(fitted.block.members[0].base))
    odds = front_features(fitted) @ _WEIGHTS
    log_odds = np.zeros(4)
    log_odds[ways] = np.exp(odds - odds.max())
    return np.asarray(log_odds / log_odds.sum())


def front_features(fitted: FittedBlock) -> Floats:
    """Features of each of `symmetry_turns` of its base, (turns, features)."""
    ways = list(symmetry_turns(fitted.block.members[0].base))
    layers = np.array([_log_odds_against_others(np.array(front.by_side)[ways]) for front in fitted.fronts])
    contrast = _log_contrast_of_rims(fitted)[ways]
    formed = formation_log_odds(fitted.block.cells)[ways]
    both = np.minimum(layers[-LATER_ROUNDS:].mean(axis=0), _BOTH * contrast)
    agreed = ((both - _AGREE_FROM) / (_AGREE - _AGREE_FROM)).clip(0.0, 1.0)
    shaped = (formed - formed.max()).clip(-_MOST_FORMED)
    return np.column_stack([layers[-1], contrast, shaped, agreed])


def _log_odds_against_others(each: Floats) -> Floats:
    """(ways,): the log odds of paint there against the likeliest else, paint elsewhere or none."""
    odds = np.append(each, 0.0)
    rivals = np.array([np.delete(odds, turn).max() for turn in range(len(each))])
    return np.asarray((each - rivals).clip(-_MOST_ODDS, _MOST_ODDS))


def _log_contrast_of_rims(fitted: FittedBlock) -> Floats:
    """(4,): the log by which the outermost rims of each way stand out more than those of the best other."""
    contrast = _contrasts(_rim_colours(fitted))
    believed, allowed = np.zeros(4), symmetry_turns(fitted.block.members[0].base)
    for turn in allowed:
        dx, dy = STEPS[turn]
        outermost = [(x + dx, y + dy) not in fitted.block.cells for x, y in fitted.block.cells]
        believed[turn] = np.median(contrast[outermost, turn]) * sum(outermost) / (sum(outermost) + _FEW)
    rivals = [max(believed[other] for other in allowed if other != turn) for turn in range(4)]
    return np.log((believed + _FAINT) / (np.array(rivals) + _FAINT))


def _rim_colours(fitted: FittedBlock) -> Floats:
    """(N, 4, C): the usual paint of each side's rim."""
    look = fitted.sides
    away = OFFSETS_MM - look.top_mm[..., None]
    band = (away >= _BAND_MM[0]) & (away <= _BAND_MM[1]) & look.is_part[..., None]
    share = band / np.maximum(band.sum(axis=-1, keepdims=True), 1)
    parts = np.einsum("nspo,nspoc->nspc", share, look.sampled_sides.colours)
    parts = tint_weighted(parts.reshape(-1, 3)).reshape(*parts.shape[:3], -1)
    parts[:, ~look.is_part] = np.nan
    return np.asarray(np.nanmedian(parts, axis=2))


def _contrasts(colours: Floats) -> Floats:
    """(N, 4): how far each side's rim differs in colour from the other three of its base."""
    others = np.stack([np.median(np.delete(colours, side, axis=1), axis=1) for side in range(4)], axis=1)
    return np.asarray(np.linalg.norm(colours - others, axis=2))
