"""Block growth: a lattice from one base on, by all whom the networks see in it, laid through where they see them."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Floats
from models.base import RectBase
from models.vocabulary import Point
from vision.candidates import Candidate
from vision.ranked.block import STEPS, Block, Cell, PlacedRect, axes_of
from vision.ranked.network_evidence import is_proposed

MIN_P_BASE = 0.4  # so sure the network is of a base that stands there whatever its lines show
_GAP_MM = 0.5  # usual between neighbours
_JOINS = 0.15  # and of one who may stand there where all others stand in order
_FEWEST = 4  # who tell how far apart all stand
_IN_STEP, _ASIDE = (0.0,), (-0.5, 0.5)
_AGAIN = 4  # times grown and laid anew: what is off by little at one end is off by much at the other
_WITHIN = 0.5  # of a base's shorter side: who is so near a member may be it
_SEEN_SIGMA_MM, _OUTLIER_MM, _TIMES = 1.5, 2.0, 5  # of the network's places
# By how much gaps differ from the usual, how well lines tell the turn; where all stand they do not.
_GAP_SIGMA_MM, _TURN_SIGMA_RAD, _ANYWHERE_MM = 0.35, math.radians(1.0), 20.0
_IN_LINE_RAD = math.radians(15.0)  # as well as the network tells how a base is turned


def grow_block(first: Candidate, here: Sequence[Candidate]) -> Block:
    """The block that this base begins. `here`: rectangles on its ground."""
    assert isinstance(first.base, RectBase)
    rect = PlacedRect(first.base, first.at_mm, first.turn_rad, first.ground)
    block = Block((rect,), ((0, 0),), first.turn_rad)
    for _ in range(_AGAIN):
        grown = complete_members(block, here)
        if len(grown.members) == len(block.members):
            break
        block = align_lattice(grown, here)
    return block


def complete_members(block: Block, proposed: Sequence[Candidate]) -> Block:
    """Adds all members that the network sees in the lattice, each beside another of it; then those who stand half a
    base aside, as a centred rear rank may. `proposed`: on its ground."""
    seen: Sequence[Candidate] = [
        candidate
        for candidate in proposed
        if _is_matching(candidate, block) and not any(is_proposed(m, (candidate,)) for m in block.members)
    ]
    members = dict(zip(block.cells, block.members, strict=True))
    for asides in (_IN_STEP, _ASIDE, _IN_STEP):
        seen = _join_neighbours(members, seen, asides)
    return replace(block, members=tuple(members.values()), cells=tuple(members))


def _join_neighbours(
    members: dict[Cell, PlacedRect], seen: Sequence[Candidate], asides: Sequence[float]
) -> Sequence[Candidate]:
    """Adds to the members who is seen beside one of them, so far aside in shares of a base; who is left of the seen.

    Half a base aside it is of the cell that it reaches into from the next.
    """
    edge = list(members) if seen else []
    while edge:
        cell = edge.pop(0)
        for step, aside in itertools.product(STEPS, asides):
            off = (step[0] + aside * abs(step[1]), step[1] + aside * abs(step[0]))
            neighbour = cell[0] + math.floor(off[0]), cell[1] + math.floor(off[1])
            placed = _candidate_at(members[cell], off, seen) if neighbour not in members else None
            if placed is not None:
                members[neighbour] = placed
                seen = [candidate for candidate in seen if not is_proposed(placed, (candidate,))]
                edge.append(neighbour)
    return seen


def align_lattice(block: Block, proposed: Sequence[Candidate]) -> Block:
    """Fits place, pitch and turn of the lattice to the candidates that the network sees in it.

    Members were taken to stand as far apart as usual, and a row of them is off by as much as all its gaps together.
    """
    base, axes = block.members[0].base, axes_of(block.turn_rad)
    places, design = np.array([member.at_mm for member in block.members]), _design_matrix(block.cells)
    seen = _matching_centres_mm(proposed, block)
    away_mm = (seen[:, None] - places) @ axes.T
    nearest = np.linalg.norm(away_mm, axis=2).argmin(axis=1)
    off_mm = away_mm[np.arange(len(seen)), nearest]
    is_in = np.linalg.norm(off_mm, axis=1) < _WITHIN * min(base.width_mm, base.depth_mm)
    if len(np.unique(nearest[is_in])) < _FEWEST:
        return block
    order = _fit_lattice_shift(design[nearest[is_in]], off_mm[is_in], base)
    turn = block.turn_rad + _rotation_rad(order, design, base)
    moved = (places + design @ order @ axes).tolist()
    members = (
        replace(member, at_mm=(x, y), turn_rad=turn) for member, (x, y) in zip(block.members, moved, strict=True)
    )
    return replace(block, members=tuple(members), turn_rad=turn)


def _design_matrix(cells: Sequence[Cell]) -> Floats:
    """(N, 3): 1, and how many columns and rows from the middle."""
    at = np.array(cells, np.float64)
    return np.column_stack([np.ones(len(at)), at - at.mean(axis=0)])


def _fit_lattice_shift(design: Floats, off_mm: Floats, base: RectBase) -> Floats:
    """(3, 2): by how much all of these, and each further column and row, stand ahead and to the left of where they
    were taken to."""
    gap, ahead, left = _GAP_SIGMA_MM, _TURN_SIGMA_RAD * base.depth_mm, _TURN_SIGMA_RAD * base.width_mm
    usual = np.array([[_ANYWHERE_MM, gap, left], [_ANYWHERE_MM, ahead, gap]]) ** -2.0
    felt, order = np.ones(len(design)), np.zeros((3, 2))
    for _ in range(_TIMES):
        weighted = design.T * (felt / _SEEN_SIGMA_MM**2)
        order = np.column_stack(
            [np.linalg.solve(weighted @ design + np.diag(usual[axis]), weighted @ off_mm[:, axis]) for axis in (0, 1)]
        )
        felt = 1 / (1 + (np.linalg.norm(off_mm - design @ order, axis=1) / _OUTLIER_MM) ** 2)
    return order


def _rotation_rad(order: Floats, design: Floats, base: RectBase) -> float:
    """By how much columns and rows are turned, each believed as far as it reaches."""
    reach = design[:, 1:].var(axis=0) * [base.depth_mm**2, base.width_mm**2]
    turns = np.array([order[1, 1] / base.depth_mm, -order[2, 0] / base.width_mm])
    return float(turns @ reach / max(reach.sum(), 1e-9))


def _matching_centres_mm(proposed: Sequence[Candidate], block: Block) -> Floats:
    """(N, 2): where the network sees bases like the block's; who may be turned either way counts once."""
    return np.array(
        list(dict.fromkeys(candidate.at_mm for candidate in proposed if _is_matching(candidate, block)))
    ).reshape(-1, 2)


def _is_matching(candidate: Candidate, block: Block) -> bool:
    """Whether the network is sure of a base of its size, turned as its members are."""
    base = block.members[0].base
    if candidate.base != base or candidate.network_score is None or candidate.network_score.p_base < _JOINS:
        return False
    alike_rad = math.pi / 2 if base.width_mm == base.depth_mm else math.pi
    return abs((candidate.turn_rad - block.turn_rad + alike_rad / 2) % alike_rad - alike_rad / 2) < _IN_LINE_RAD


def _candidate_at(member: PlacedRect, off: tuple[float, float], seen: Sequence[Candidate]) -> PlacedRect | None:
    """Who is seen in the place that lies so many bases ahead and to the left of the member."""
    base = member.base
    away = np.array(off) * [base.depth_mm + _GAP_MM, base.width_mm + _GAP_MM] @ axes_of(member.turn_rad)
    place: Point = (member.at_mm[0] + float(away[0]), member.at_mm[1] + float(away[1]))
    for candidate in seen:
        rect = PlacedRect(base, place, member.turn_rad, candidate.ground)
        if is_proposed(rect, (candidate,)):
            return rect
    return None
