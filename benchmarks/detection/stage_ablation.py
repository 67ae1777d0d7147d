"""What each stage of `locate` earns: tables that hold what a stage is for, with one stage left out at a time.

    python -m benchmarks.detection.stage_ablation [--tables 12] [--photographs FOLDER] [--annotated FOLDER]
        [--sets ranks,templates] [--stages "empty places,network of boxes"]

*Ranks*: regiments on plain mats; *templates*: printed discs of three to five inches and tokens about a few bases;
*rounds*: round and oval bases on plain mats; with a FOLDER of ground that training never reads *photographic* ones, and
those of a folder of annotated tables. Every size on sale is in play. The networks look once at each picture; *processor
s* is what the rest costs. A stage that is left out gives way to the simplest thing that runs.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any
from unittest.mock import patch

import numpy as np
import typer

import vision.detection.network.finder
import vision.detection.network.fused_network
import vision.locate
import vision.ranked.block_finder
import vision.ranked.block_fit
import vision.ranked.member_completion
import vision.ranked.ranked_units
from benchmarks.detection import ranked_units
from benchmarks.detection.photographic_scenes import DrawnBase, DrawnTable, drawn_tables
from benchmarks.detection.photographic_tables import SIDE_MM, Tally, located
from benchmarks.detection.synthetic_tables import draw_table
from benchmarks.harness import run
from models.base import RectBase, catalogue_of
from tests.vision import regiments
from vision.detection.network.fused_network import chance_of, fuse
from vision.detection.network.inference import DenseNetwork, Network
from vision.detection.network.instances import SeenBase
from vision.detection.network.proposals import KINDS, Proposal, non_maximum_suppression
from vision.selection.shared_rim_profile import SizeReadings
from vision.training.annotated_tables import tables_in
from vision.training.scenes.assets import pictures_in
from vision.training.synthetic.full_table import TableDensity, whole_table
from vision.training.synthetic.table import base_of

Replacement = tuple[Any, str, Any]
_FIT_BLOCK = vision.ranked.block_fit.fit_block
_TEMPLATES = TableDensity(side_mm=700, pieces=1, bases=10, things=2, discs=7)
_UNMEASURED_MM = 1.0  # doubt of a block whose rims nobody measured


def _echoed(bases: Iterable[SeenBase], _: Any) -> list[Proposal]:
    """The dense network, as if the boxes agreed."""
    seen = tuple(bases)
    kinds = {kind: kind for kind in KINDS}
    boxes = (
        Proposal(kinds[base.kind], base.at_px, base.short_px, base.long_px, base.axis_rad, base.score)  # type: ignore[index]
        for base in seen
    )
    return fuse(seen, boxes)


def _boxes_alone(_: Any, boxes: Iterable[Proposal]) -> list[Proposal]:
    """The boxes, as if the dense network agreed."""
    scored = (replace(box, score=chance_of(box.score, box.score)) for box in boxes)
    return non_maximum_suppression(box for box in scored if box.score >= 0.1)


def _likeliest(_: Any, readings: Iterable[SizeReadings], **__: Any) -> tuple[Any, ...]:
    """Each base in the size that its own rim tells."""
    return tuple(max(one.by_size.values(), key=lambda pair: pair[0])[1] if one.by_size else one.fit for one in readings)


def _unmeasured(image: Any, block: Any, **given: Any) -> Any:
    """The block where lines and networks put it."""
    fitted = _FIT_BLOCK(image, block, **given)
    doubt = np.diag([_UNMEASURED_MM**2, _UNMEASURED_MM**2, 1e-4])
    return replace(
        fitted, at_mm=np.array([member.at_mm for member in block.members]),
        turns_rad=np.full(len(block.members), block.turn_rad), covariance=np.array([doubt] * len(block.members)),
    )  # fmt: skip


_finder, _units = vision.ranked.block_finder, vision.ranked.ranked_units
STAGES: dict[str, tuple[Replacement, ...]] = {
    "network of boxes": ((vision.detection.network.fused_network, "fuse", _echoed),),
    "dense network": ((vision.detection.network.fused_network, "fuse", _boxes_alone),),
    "closer look at crowds": ((vision.detection.network.finder, "crowd_boxes", lambda *_: ()),),
    "colours of the army": ((vision.locate, "add_colour_log_odds", lambda _, fits, *__, **___: fits),),
    "shared rim profiles": (
        (vision.locate, "read_shared_profiles", lambda _, fits, *__, **___: tuple(map(SizeReadings, fits))),
    ),
    "sizes of the table": ((vision.locate, "infer_sizes", _likeliest),),
    "networks' disagreement": ((vision.locate, "widen_by_disagreement", lambda fits, *_, **__: tuple(fits)),),
    "shapes in play": ((vision.locate, "are_rectangles_in_play", lambda *_, **__: True),),
    "members of a block": ((vision.ranked.member_completion, "complete_members", lambda block, _: block),),
    "lattice by networks": ((vision.ranked.member_completion, "align_lattice", lambda block, _: block),),
    "sizes by the fit": ((_finder, "_RIVAL", math.inf),),
    "members inside others": ((_finder, "drop_members_inside_others", lambda block, _: block),),
    "networks confirm": ((_finder, "_is_confirmed", lambda _: True),),
    "edges of terrain": ((_finder.BlockFinder, "_is_terrain_edge", lambda *_: False),),
    "empty places": (
        (_units, "fit_occupied_block",
         lambda image, block, view: _FIT_BLOCK(image, block, camera=view.camera, pose=view.pose)),
    ),
    "rims of a block": ((_units, "fit_block", _unmeasured),),
    "order of a block": ((vision.ranked.block_fit, "_fit_lattice", lambda *_, **__: None),),
}  # fmt: skip


def ranks(tables: int) -> Iterator[DrawnTable]:
    """Regiments and lone rectangles on plain mats."""
    for number in range(tables):
        units, trays, look = ranked_units.draw_table(np.random.default_rng([4201, number]))
        stood = [one for unit in units for one in unit]
        bases = tuple(
            DrawnBase(RectBase(width_mm=one.sides_mm[0], depth_mm=one.sides_mm[1]), one.at_mm, is_asked=True)
            for one in stood
        )
        picture = regiments.photograph(stood, look, seed=number, trays=trays)
        yield DrawnTable(
            picture, regiments.camera(look), regiments.pose(look), regiments.layout(), bases, "plain", is_overhead=True
        )


def templates(tables: int) -> Iterator[DrawnTable]:
    for number in range(tables):
        one = whole_table(4300 + number, px_per_mm=1.3, holds=_TEMPLATES)
        bases = tuple(DrawnBase(base_of(base), base.at, is_asked=True) for base in one.bases)
        yield DrawnTable(one.picture, one.camera, one.pose, one.layout, bases, "plain", is_overhead=True)


def rounds(tables: int) -> Iterator[DrawnTable]:
    """Who is hidden by half is neither asked for nor held against."""
    for number in range(tables):
        one = draw_table(4400, number)
        bases = tuple(
            DrawnBase(base_of(base), base.at, is_asked=hidden < 0.5)
            for base, hidden in zip(one.bases, one.hidden, strict=True)
        )
        yield DrawnTable(one.picture, one.camera, one.pose, one.layout, bases, "plain", is_overhead=True)


def annotated(folder: Path) -> Iterator[DrawnTable]:
    for one in tables_in(folder):
        bases = tuple(DrawnBase(base.base, base.at_mm, is_asked=True) for base in one.state.miniatures)
        yield DrawnTable(one.image, one.camera, one.pose, one.layout, bases, "plain", is_overhead=True)


def remembered(look: Callable[..., Any]) -> Callable[..., Any]:
    """The same answer for the same picture, without looking again."""
    known: dict[tuple[int, bytes, float], Any] = {}

    def answer(network: Any, picture: Any, *, least_score: float = 0.1) -> Any:
        key = (id(network), picture.tobytes(), least_score)
        if key not in known:
            known[key] = look(network, picture, least_score=least_score)
        return known[key]

    return answer


def main(
    photographs: Annotated[Path | None, typer.Option()] = None, annotated_tables: Path | None = None, tables: int = 12,
    seed: int = 9101, sets: str = "", stages: str = "",
) -> None:  # fmt: skip
    drawn: dict[str, Callable[[], Iterator[DrawnTable]]] = {
        "ranks": lambda: ranks(tables), "templates": lambda: templates(tables), "rounds": lambda: rounds(tables),
    }  # fmt: skip
    if photographs is not None:
        drawn["photographic"] = lambda: drawn_tables(seed, tables, pictures_in(photographs), side_mm=SIDE_MM)
    if annotated_tables is not None:
        drawn["annotated"] = lambda: annotated(annotated_tables)
    rows = ("nothing", *(name for name in STAGES if not stages or name in stages.split(",")))
    for name in sets.split(",") if sets else drawn:
        print(f"{name:24s} bases  recall precision   size RMS mm coverage  proc. s  max s", flush=True)
        _print_rows(drawn[name](), rows)


def _print_rows(tables: Iterator[DrawnTable], rows: Iterable[str]) -> None:
    tallies = {name: Tally() for name in rows}
    find = located(lambda _: catalogue_of())
    for table in tables:
        with (
            patch.object(DenseNetwork, "look", remembered(DenseNetwork.look)),
            patch.object(Network, "proposals", remembered(Network.proposals)),
        ):
            find(table)  # networks look, plans are worked out
            for name, tally in tallies.items():
                started = time.process_time()
                with ExitStack() as left_out:
                    for replacement in STAGES.get(name, ()):
                        left_out.enter_context(patch.object(*replacement))
                    told = find(table)
                tally.add(table.bases, told, time.process_time() - started)
    for name, tally in tallies.items():
        print(f"{name:24s}{tally.row()}", flush=True)


if __name__ == "__main__":
    run(main)
