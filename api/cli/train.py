"""`tableside train` and `tableside evaluate`: the detector made and judged, on any machine, from one command."""

import os
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from models.errors import BadInput


def register(app: typer.Typer) -> None:
    """Add both commands to the command line."""
    app.command("train")(train)
    app.command("evaluate")(evaluate)


def train(
    folder: Annotated[Path, typer.Argument(help="Where the run lives; the same command takes it up again.")],
    steps: Annotated[
        int, typer.Option(min=1, help="How long to train in all; more later goes on from there.")
    ] = 20_000,
    tiles: Annotated[int, typer.Option(min=100, help="How many pictures to draw, rounded to hundreds.")] = 12_000,
    seed: Annotated[int, typer.Option(help="Of the pictures, the first weights and the order.")] = 7,
    minutes: Annotated[float, typer.Option(help="Stop, keeping everything, after this long.")] = 100.0,
    tables: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="A folder of your own corrected tables to learn from too."),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Weights to begin with: the shipped bases.pt or dense.pt."),
    ] = None,
    judge_by: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="A folder of tables to judge by; the card tells the outcome."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Processor threads to use.")] = 2,
    network: Annotated[
        Literal["boxes", "dense"], typer.Option(help="The one of boxes, or the dense one; both are shipped.")
    ] = "boxes",
    rate: Annotated[
        float, typer.Option(min=1e-6, max=1.0, help="Of learning, at its highest; of the dense network alone.")
    ] = 2.5e-3,
) -> None:
    """Train the detector from nothing, or from `--start`, and write FOLDER/bases.onnx and FOLDER/bases.pt."""
    if network == "dense":
        plan = {"steps": steps, "tiles": tiles, "seed": seed, "threads": threads, "start": start, "rate": rate}
        return _train_dense(folder, plan, minutes=minutes)
    _require_extra()
    from vision.detection.network.training.pipeline import TrainingOptions, train_network

    wanted = TrainingOptions(
        folder, steps=steps, tiles=tiles, seed=seed, threads=threads, tables=tables, start=start, judge_by=judge_by
    )
    train_network(wanted, seconds=60 * minutes, said=typer.echo)


def _train_dense(folder: Path, plan: dict[str, Any], *, minutes: float) -> None:
    """The dense network, from drawn scenes; their photographs are installed where Debian's packages are at hand."""
    _require_extra("torch", "onnx")
    from vision.detection.network.training.dense.pipeline import Wanted, made
    from vision.detection.network.training.scenes.assets import install_packages

    install_packages(said=typer.echo)
    made(Wanted(folder, **plan), seconds=60 * minutes, said=typer.echo)


def evaluate(
    tables: Annotated[
        Path,
        typer.Argument(exists=True, file_okay=False, help="A folder of pictures with states, cameras and layouts."),
    ],
    weights: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="A network file instead of the shipped one.")
    ] = None,
) -> None:
    """Judge the detector on tables whose truth is known: what it finds, how far off, and how long it takes."""
    from vision.detection.network.training.evaluation import judge_tables

    for line in judge_tables(tables, weights):
        typer.echo(line)


def _require_extra(*packages: str) -> None:
    os.environ.setdefault("YOLO_OFFLINE", "True")  # nothing is to be fetched
    try:
        for package in packages or ("torch", "ultralytics"):
            import_module(package)
    except ImportError as missing:
        raise BadInput(
            f"training needs the package {missing.name}: install tableside with the extra train",
            field="install",
            value="train",
        ) from missing
