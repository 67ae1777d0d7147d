"""Hint prior: what one round of a player's words about a photograph teaches about another one of the same table.

    python -m benchmarks.detection.hint_prior --photographs FOLDER --drawn 12

FOLDER is that of `photographic_tables`. On the first photograph of each table the player taps about every second base,
found or not, and denies whatever else was taken for one. *Rest*: the bases of this photograph that he did not tap.
*Second*: all bases of a photograph by another camera in other light, of which he says nothing.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.detection.photographic_scenes import DrawnTable, drawn_table
from benchmarks.detection.photographic_tables import SIDE_MM
from benchmarks.detection.roll_call import KnownScene, is_size, known_scene, match
from calibration.view import View
from models.base import catalogue_of
from models.hint import Hint
from models.miniature import Miniature
from models.vocabulary import EditionId
from vision.detection.network.finder import NetworkFinder
from vision.hint_prior import learn_prior
from vision.locate import Sighting, dismissed_fits, sight, with_hints, with_prior
from vision.state_assembly import assign_ids, state_of
from vision.training.scenes.assets import pictures_in

_CATALOGUE = catalogue_of()
_EDITION: EditionId = "warmachine-prime"


@dataclass
class Tally:
    """Bases that were asked for, of those found and of their size, and what stood in the states besides."""

    asked: int = 0
    found: int = 0
    right_size: int = 0
    false: int = 0
    proposed: int = 0

    def add(self, scene: KnownScene, miniatures: Sequence[Miniature], seen: Sighting, *, told: Sequence[int]) -> None:
        pairs, extra = match(scene, miniatures)
        rest = [truth for number, truth in enumerate(scene.bases) if truth.is_asked and number not in told]
        found = [(truth, miniature) for truth, miniature in pairs if truth in rest]
        self.asked += len(rest)
        self.found += len(found)
        self.right_size += sum(is_size(miniature.base, truth.base) for truth, miniature in found)
        self.false += len(extra)
        self.proposed += len(seen.unconfirmed())

    def row(self) -> str:
        right = self.found / max(1, self.found + self.false)
        size = self.right_size / max(1, self.found)
        return f"{self.asked:6d}{self.found / max(1, self.asked):8.3f}{right:11.3f}{size:7.3f}{self.proposed:12d}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.detection.hint_prior")
    parser.add_argument("--photographs", type=Path, required=True)
    parser.add_argument("--drawn", type=int, default=12)
    parser.add_argument("--seed", type=int, default=700)
    options = parser.parse_args()
    assets = pictures_in(options.photographs)
    tallies = {name: Tally() for name in ("rest, before", "rest, after", "second, before", "second, after")}
    for number in range(options.drawn):
        first, second = (drawn_table(options.seed, number, assets, side_mm=SIDE_MM, again=again) for again in (0, 1))
        judge(first, second, np.random.default_rng([options.seed, number]), tallies)
        print_tallies(tallies)


def judge(first: DrawnTable, second: DrawnTable, random: np.random.Generator, tallies: dict[str, Tally]) -> None:
    """One round of words about the first photograph, and what comes of both by it."""
    scene, seen = known_scene(first), _sight(first)
    before = _miniatures(first, seen)
    told = [number for number, truth in enumerate(scene.bases) if truth.is_asked and random.random() < 0.5]
    hints = [Hint(at_mm=scene.bases[number].at_mm, base=scene.bases[number].base) for number in told]
    extra = [m.at_mm for m in match(scene, before)[1] if all(0 <= at <= SIDE_MM for at in m.at_mm)]
    hints += [Hint(at_mm=at_mm, is_base=False) for at_mm in extra]
    tallies["rest, before"].add(scene, before, seen, told=told)
    taught = with_hints(first.picture, seen, hints, catalogue=_CATALOGUE, view=_view(first))
    tallies["rest, after"].add(scene, _miniatures(first, taught), taught, told=told)

    other, plain = known_scene(second), _sight(second)
    tallies["second, before"].add(other, _miniatures(second, plain), plain, told=())
    said = [base for base in taught.bases if base.placement is not None]
    prior = learn_prior(first.picture, (*said, *seen.bases), dismissed_fits(seen, taught.denied_mm), view=_view(first))
    if prior is not None:
        plain = with_prior(second.picture, plain, prior, catalogue=_CATALOGUE, view=_view(second))
    tallies["second, after"].add(other, _miniatures(second, plain), plain, told=())


def print_tallies(tallies: dict[str, Tally]) -> None:
    print(f"{'':16s} bases  recall  precision   size  unconfirmed", flush=True)
    for name, tally in tallies.items():
        print(f"{name:16s}{tally.row()}", flush=True)


def _view(table: DrawnTable) -> View:
    return View(table.camera, table.pose, table.layout)


def _sight(table: DrawnTable) -> Sighting:
    finder = NetworkFinder(_CATALOGUE, table.layout)
    return sight(table.picture, finder, catalogue=_CATALOGUE, view=_view(table))


def _miniatures(table: DrawnTable, seen: Sighting) -> tuple[Miniature, ...]:
    return state_of(assign_ids(seen.bases), view=_view(table), edition=_EDITION).miniatures


if __name__ == "__main__":
    main()
