"""The model card that is written beside the weights: what the run did and what was measured, no number typed in."""

import platform
from dataclasses import asdict
from pathlib import Path
from typing import Any

from vision.training.resumable_run import ResumableRun

_CARD = """# bases.onnx: where bases lie

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


def write_card(run: ResumableRun, **facts: Any) -> Path:
    """The card in the run's folder."""
    common = asdict(run.plan) | {
        "parameters": sum(value.numel() for value in run.net.parameters()), "step": run.step, "first": run.first,
        "minutes": run.seconds / 60, "device": f"{run.device.type} ({platform.machine()})",
    }  # fmt: skip
    path = run.folder / "bases.md"
    path.write_text(_CARD.format(**common | facts), encoding="utf-8")
    return path
