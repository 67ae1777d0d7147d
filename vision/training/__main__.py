"""Training commands: `python -m vision.training train` makes the dense network, `yolo` trains oriented boxes by
ultralytics, `evaluate` judges one on known tables."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from models.errors import BadInput, TablesideError
from vision.training.evaluation import judge_tables


def main() -> None:
    """Run a command. Exit 0 = done, 2 = bad input."""
    options = _parser().parse_args()
    try:
        options.run(options)
    except TablesideError as wrong:
        print(json.dumps(wrong.problem(), default=str), file=sys.stderr)
        sys.exit(2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    commands = parser.add_subparsers(required=True)
    train = commands.add_parser("train", help="train from nothing, or from --start")
    train.set_defaults(run=_train)
    add = train.add_argument
    add("folder", type=Path, help="where the run lives; the same command takes it up again")
    add("--steps", type=_count, default=20_000, help="in all; more later goes on from there")
    add("--tiles", type=_count, default=12_000, help="how many pictures to draw, rounded to hundreds")
    add("--seed", type=int, default=7, help="of the pictures, the first weights and the order")
    add("--minutes", type=float, default=100.0, help="stop, keeping everything, after this long")
    add("--crops", type=_folder, help="a folder of labelled crops to paste into drawn tiles")
    add("--start", type=_file, help="weights to begin with: vision/training/weights/dense.pt")
    add("--threads", type=_count, default=2, help="processor threads to use")
    trunks = "lite0 has seen photographs; frozen: the instance head of --start alone learns"
    add("--trunk", choices=("residual", "lite0", "frozen"), default="residual", help=trunks)
    add("--rate", type=float, default=2.5e-3, help="of learning, at its highest")
    yolo = commands.add_parser("yolo", help="train oriented boxes by ultralytics, on drawn tiles or your own tables")
    yolo.set_defaults(run=_train_yolo)
    yolo.add_argument("folder", type=Path, help="where data set, run and bases.onnx go")
    yolo.add_argument("--tables", type=_folder, help="a folder of your own corrected tables to learn from")
    yolo.add_argument("--drawn", type=int, default=0, help="how many drawn tiles to learn from")
    yolo.add_argument("--model", help="weights to go on from, or a recipe; left out: the shipped weights")
    yolo.add_argument("--epochs", type=_count, default=100)
    yolo.add_argument("--seed", type=int, default=7, help="of the tiles and the order")
    yolo.add_argument("--threads", type=_count, default=2, help="processor threads to use")
    evaluate = commands.add_parser("evaluate", help="recall, precision, error and time on tables whose truth is known")
    evaluate.set_defaults(run=_evaluate)
    evaluate.add_argument("tables", type=_folder, help="a folder of pictures with states, cameras and layouts")
    evaluate.add_argument("--weights", type=_file, help="a network file instead of the shipped one")
    return parser


def _train(options: argparse.Namespace) -> None:
    with _packages_of_training():
        from vision.training.dense.run import train_dense_network
        from vision.training.resumable_run import TrainingOptions
        from vision.training.scenes.assets import install_packages

        names = {field.name for field in fields(TrainingOptions)}
        plan = TrainingOptions(**{name: value for name, value in vars(options).items() if name in names})
        install_packages(said=print)
        train_dense_network(plan, seconds=60 * options.minutes, say=print)


def _train_yolo(options: argparse.Namespace) -> None:
    with _packages_of_training():
        from vision.training.yolo import YoloOptions, train_boxes

        names = {field.name for field in fields(YoloOptions)}
        print(train_boxes(YoloOptions(**{name: value for name, value in vars(options).items() if name in names})))


@contextmanager
def _packages_of_training() -> Iterator[None]:
    """What the extra `train` brings; where a package of it is missing, the user reads which."""
    try:
        yield
    except ImportError as missing:
        raise BadInput(
            f"training needs the package {missing.name}: install tableside with the extra train",
            field="install",
            value="train",
        ) from missing


def _evaluate(options: argparse.Namespace) -> None:
    for line in judge_tables(options.tables, options.weights):
        print(line)


def _count(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _folder(text: str) -> Path:
    if not (path := Path(text)).is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no folder")
    return path


def _file(text: str) -> Path:
    if not (path := Path(text)).is_file():
        raise argparse.ArgumentTypeError(f"{text} is no file")
    return path


if __name__ == "__main__":
    main()
