"""The dense network beside the shipped one on fresh tiles, with photographs that neither was trained on.

    python -m benchmarks.detection.dense_network run/bases.onnx --photographs FOLDER --tiles 300

FOLDER holds pictures of ground of a package that training never reads, such as the textures of `supertuxkart-data`.
Each network is judged alone, at the threshold where its recall and precision together are best.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import numpy as np
import onnxruntime
import typer

from benchmarks.harness import run
from calibration.arrays import Image
from vision.detection.network.channels import SIZES
from vision.detection.network.inference import SHIPPED, Network
from vision.detection.network.instances import SeenBase, seen_bases
from vision.detection.network.proposals import Proposal
from vision.training.dense.scores import Scores, figures_text
from vision.training.scenes.assets import pictures_in
from vision.training.scenes.tile import Tile, tile

Answers = Callable[[Image], list[SeenBase]]
_LEAST_SCORE = 0.05
_NOTHING = np.zeros(1, np.float32)


def dense_answers(path: Path) -> Answers:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])

    def answer(picture: Image) -> list[SeenBase]:
        given = picture[None, ..., ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 255
        return seen_bases(session.run(None, {"picture": given})[0][0], least_score=_LEAST_SCORE)

    return answer


def box_answers(path: Path) -> Answers:
    network = Network(path)
    return lambda picture: [_to_base(one) for one in network.proposals(picture, least_score=_LEAST_SCORE)]


def _to_base(one: Proposal) -> SeenBase:
    """A box in the dense network's words; of sizes it says nothing."""
    long, short = max(one.width, one.depth), min(one.width, one.depth)
    axis = one.turn_rad + (0.0 if one.depth >= one.width else np.pi / 2)
    return SeenBase(
        kind=one.kind, score=one.score, kinds=_NOTHING, at_px=one.at, long_px=long, short_px=short, sigma_px=0.0,
        sigma_log_size=0.0, sizes=np.zeros(len(SIZES), np.float32), axis_rad=axis, facing=(0.0, 0.0), marked=0.0,
        markings=_NOTHING, mark_px=one.at, ranked=0.0, seen=0.0,
    )  # fmt: skip


def score_tiles(answers: Answers, tiles: list[Tile]) -> dict[str, Scores]:
    """Scores over all tiles, by camera and by kind of mat."""
    scores: dict[str, Scores] = {}
    for one in tiles:
        found = answers(one.picture)
        camera = "overhead" if one.camera.elevation_rad > np.radians(60) else "oblique"
        for name in ("all", camera, one.mat_kind):
            scores.setdefault(name, Scores()).add(found, one.labels)
    return scores


def main(network: Path, photographs: Annotated[Path, typer.Option()], tiles: int = 300, seed: int = 9001) -> None:
    assets = pictures_in(photographs)
    drawn = [tile(seed, number, assets) for number in range(tiles)]
    for name, answers in (("dense", dense_answers(network)), ("boxes", box_answers(SHIPPED))):
        started = time.perf_counter()
        scores = score_tiles(answers, drawn)
        print(f"{name}: {1000 * (time.perf_counter() - started) / tiles:.0f} ms a tile")
        limit = scores["all"].best_threshold()
        for kind, score in sorted(scores.items()):
            print(f"  {kind:28s} {figures_text(score.row(limit))}")


if __name__ == "__main__":
    run(main)
