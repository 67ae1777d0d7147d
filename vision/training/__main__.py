"""Training commands: `python -m vision.training train` makes a detector, `evaluate` judges one on known tables."""

import argparse
import json
import os
import sys
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
    add("--network", choices=("boxes", "dense"), default="boxes", help="the one of boxes, or the dense one")
    add("--steps", type=_count, default=20_000, help="in all; more later goes on from there")
    add("--tiles", type=_count, default=12_000, help="how many pictures to draw, rounded to hundreds")
    add("--seed", type=int, default=7, help="of the pictures, the first weights and the order")
    add("--minutes", type=float, default=100.0, help="stop, keeping everything, after this long")
    add("--tables", type=_folder, help="a folder of your own corrected tables to learn from too; boxes only")
    add("--start", type=_file, help="weights to begin with: vision/training/weights/bases.pt or dense.pt")
    add("--judge-by", type=_folder, help="a folder of tables to judge by; the card tells the outcome; boxes only")
    add("--threads", type=_count, default=2, help="processor threads to use")
    trunks = "lite0 has seen photographs; frozen: the instance head of --start alone learns; dense only"
    add("--trunk", choices=("residual", "lite0", "frozen"), default="residual", help=trunks)
    add("--rate", type=float, default=2.5e-3, help="of learning, at its highest; dense only")
    evaluate = commands.add_parser("evaluate", help="recall, precision, error and time on tables whose truth is known")
    evaluate.set_defaults(run=_evaluate)
    evaluate.add_argument("tables", type=_folder, help="a folder of pictures with states, cameras and layouts")
    evaluate.add_argument("--weights", type=_file, help="a network file instead of the shipped one")
    return parser


def _train(options: argparse.Namespace) -> None:
    os.environ.setdefault("YOLO_OFFLINE", "True")  # nothing is to be fetched
    try:
        _train_network(options)
    except ImportError as missing:
        raise BadInput(
            f"training needs the package {missing.name}: install tableside with the extra train",
            field="install",
            value="train",
        ) from missing


def _train_network(options: argparse.Namespace) -> None:
    """The dense one is drawn from scenes, whose photographs are installed where Debian's packages are at hand."""
    from vision.training.resumable_run import TrainingOptions

    names = {field.name for field in fields(TrainingOptions)}
    plan = TrainingOptions(**{name: value for name, value in vars(options).items() if name in names})
    if options.network == "dense":
        from vision.training.dense.run import train_dense_network as train
        from vision.training.scenes.assets import install_packages

        install_packages(said=print)
    else:
        from vision.training.train_run import train_network as train
    train(plan, seconds=60 * options.minutes, say=print)


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
