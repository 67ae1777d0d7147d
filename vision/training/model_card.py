"""The model card that is written beside the weights: what the run did and what was measured, no number typed in."""

import platform
from dataclasses import asdict
from pathlib import Path
from typing import Any

from vision.training.resumable_run import ResumableRun

BOXES = """# bases.onnx: where bases may lie

A network of {parameters:,} parameters (`vision/training/model.yaml`, built with ultralytics) that
reads pictures straightened at one millimetre a pixel and answers with oriented boxes: round, oval or rectangular
base, place, width, depth and angle. It proposes; the fit measures. Written by `python -m vision.training train`.

## Data

{tiles:,} drawn tiles of 320 mm from seed {seed} (`vision/training/synthetic`), each in eight ways
and in other light{own}. Nothing photographed, nothing downloaded, no weights of others: the first weights were {first}.

## Training

{step:,} of {steps:,} planned steps of {batch} tiles in {minutes:.0f} minutes on {device}; AdamW, a rate falling from
{rate:g} to {last_rate:g}; the running mean of the weights is what is kept.
{plans}
{before}## Numbers

Drawn tiles of another seed:

    {drawn}

{rendered}
## Limits

- It has seen drawn figures only. Other plastic, light and mats may mislead it, so the classical finder stays beside it.
- Its boxes lead the fit to a base, and its scores are weighed where bases are told from look-alikes. Nothing is
  measured by them.
- It does not tell front from back, and it answers for every base on sale between 20 and 150 mm and for nothing else.
- Discs with things on them (stacked tokens, decorated coasters) may be taken for bases.
"""
DENSE = """# bases.onnx: where bases lie

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
_BEFORE = """## The run before

What the card beside the first weights says of them:

{told}

"""


def write_card(run: ResumableRun, text: str, **facts: Any) -> Path:
    """The card in the run's folder."""
    common = asdict(run.plan) | {
        "parameters": sum(value.numel() for value in run.net.parameters()), "step": run.step, "first": run.first,
        "minutes": run.seconds / 60, "device": f"{run.device.type} ({platform.machine()})",
    }  # fmt: skip
    path = run.folder / "bases.md"
    path.write_text(text.format(**common | facts), encoding="utf-8")
    return path


def rendered_text(lines: list[str]) -> str:
    shown = "".join(f"    {line}\n" for line in lines)
    return f"Rendered tables, by another program, that it was never shown:\n\n{shown}\n" if lines else ""


def plans_text(plans: list[tuple[int, int]]) -> str:
    """What was planned before, where that changed on the way: with each plan the rate rises again."""
    said = [f"until step {step:,} {steps:,} steps were planned" for step, steps in plans]
    return f"The plan changed on the way: {', '.join(said)}.\n" if said else ""


def earlier_run(start: Path | None) -> str:
    """The data and the training of the first weights, as their own card tells them."""
    card = start.with_suffix(".md") if start is not None else None
    if card is None or not card.exists():
        return ""
    before = card.read_text(encoding="utf-8").partition("## Data")[2].partition("## Numbers")[0]
    lines = (line for line in before.splitlines() if line and not line.startswith("#"))
    return _BEFORE.format(told="\n".join(f"> {line}" for line in lines))
