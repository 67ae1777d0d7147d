"""The model card that is written beside the weights: what the run did and what was measured, no number typed in."""

import platform
from dataclasses import asdict
from pathlib import Path

from vision.training.train_run import Run

_TEXT = """# bases.onnx: where bases may lie

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


_BEFORE = """## The run before

What the card beside the first weights says of them:

{told}

"""


def write_card(run: Run, *, drawn: str, rendered: list[str], own: bool, start: Path | None = None) -> Path:
    """The card in the run's folder."""
    rendered_text = "Rendered tables, by another program, that it was never shown:\n\n" + "".join(
        f"    {line}\n" for line in rendered
    )
    text = _TEXT.format(
        **asdict(run.plan),
        parameters=sum(value.numel() for value in run.net.parameters()),
        step=run.step,
        minutes=run.seconds / 60,
        device=f"{run.device.type} ({platform.machine()})",
        drawn=drawn,
        rendered=rendered_text + "\n" if rendered else "",
        first=run.first,
        plans=_plans(run),
        before=_before(start),
        own=", and a user's own tables" if own else "",
    )
    path = run.folder / "bases.md"
    path.write_text(text, encoding="utf-8")
    return path


def _plans(run: Run) -> str:
    """What was planned before, where that changed on the way: with each plan the rate rises again."""
    said = [f"until step {step:,} {steps:,} steps were planned" for step, steps in run.plans]
    return f"The plan changed on the way: {', '.join(said)}.\n" if said else ""


def _before(start: Path | None) -> str:
    """The data and the training of the first weights, as their own card tells them."""
    card = start.with_suffix(".md") if start is not None else None
    if card is None or not card.exists():
        return ""
    before = card.read_text(encoding="utf-8").partition("## Data")[2].partition("## Numbers")[0]
    lines = (line for line in before.splitlines() if line and not line.startswith("#"))
    return _BEFORE.format(told="\n".join(f"> {line}" for line in lines))
