"""Oriented boxes by ultralytics: tiles as its data set, training by its own trainer, export to ONNX."""

import os
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

os.environ["YOLO_OFFLINE"] = "True"  # before ultralytics is loaded: nothing is to be fetched, not even asked for
os.environ["YOLO_AUTOINSTALL"] = "False"

import cv2
import numpy as np

from calibration.arrays import Floats32, Image
from models.errors import BadFile, BadInput
from vision.detection.network.proposals import KINDS
from vision.training.annotated_tables import TILE_MM, tables_in, tiles_of
from vision.training.synthetic.tile import Label, tile

WEIGHTS = Path(__file__).parent / "weights" / "bases.pt"  # those that are shipped, to go on from

_EVERY = 5  # of so many tiles one is held out, to choose the best epoch by


@dataclass(frozen=True)
class YoloOptions:
    """What the user asked for. `model`: ultralytics' weights, or the name of one of its recipes."""

    folder: Path
    tables: Path | None = None
    drawn: int = 0
    model: str | None = None
    epochs: int = 100
    seed: int = 7
    threads: int = 2


def train_boxes(options: YoloOptions) -> Path:
    """Trains on the tiles and returns the ONNX file, which `Network` reads.

    Raises: BadInput without tiles; BadFile when the folder of tables holds none or the model is none.
    """
    data = write_dataset(_tiles(options), options.folder / "data")
    import torch  # here, so that the data set alone needs neither
    from ultralytics import YOLO

    torch.set_num_threads(options.threads)
    try:
        model = YOLO(options.model or WEIGHTS, task="obb")
    except (FileNotFoundError, RuntimeError) as wrong:
        raise BadFile(f"{options.model}: no model of ultralytics", field="model", value=options.model) from wrong
    model.train(
        data=str(data), imgsz=int(TILE_MM), epochs=options.epochs, project=str(options.folder.resolve()), name="run",
        exist_ok=True, workers=0, plots=False, seed=options.seed,
        flipud=0.5, degrees=180.0,  # a table has no upper side
    )  # fmt: skip
    best = YOLO(options.folder / "run" / "weights" / "best.pt", task="obb")
    exported = Path(best.export(format="onnx", imgsz=int(TILE_MM), dynamic=True, simplify=False, opset=17))
    return exported.replace(options.folder / "bases.onnx")


def write_dataset(tiles: Iterator[tuple[Image, Floats32]], folder: Path) -> Path:
    """Tiles as ultralytics reads oriented boxes: pictures, corners of 0 to 1, and the file that names both.

    Raises: BadInput with fewer tiles than one to hold out.
    """
    count = 0
    for number, (picture, rows) in enumerate(tiles):
        part = "val" if number % _EVERY == _EVERY - 1 else "train"
        images, labels = folder / "images" / part, folder / "labels" / part
        images.mkdir(parents=True, exist_ok=True)
        labels.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(images / f"{number:06d}.png"), picture)
        (labels / f"{number:06d}.txt").write_text("".join(_label_line(row, picture.shape[0]) for row in rows))
        count = number + 1
    if count < _EVERY:
        raise BadInput(f"name --tables, or {_EVERY} --drawn tiles at least", field="drawn", value=count)
    names = "".join(f"  {number}: {kind}\n" for number, kind in enumerate(KINDS))
    path = folder / "data.yaml"
    path.write_text(f"path: {folder.resolve()}\ntrain: images/train\nval: images/val\nnames:\n{names}")
    return path


def _tiles(options: YoloOptions) -> Iterator[tuple[Image, Floats32]]:
    """Drawn tiles, then those of the user's tables. Raises: BadFile when no table lies there."""
    for number in range(options.drawn):
        drawn = tile(options.seed, number)
        yield drawn.picture, label_rows(drawn.labels)
    if options.tables is not None:
        table = None
        for table in tables_in(options.tables):
            yield from tiles_of(table)
        if table is None:
            raise BadFile(
                f"{options.tables}: no NAME.state.json with its picture", field="tables", value=str(options.tables)
            )


def label_rows(labels: tuple[Label, ...]) -> Floats32:
    """(N, 6) rows of kind, place, depth, width and angle."""
    return np.array([astuple(label) for label in labels], np.float32).reshape(-1, 6)


def _label_line(row: Floats32, side_px: int) -> str:
    """The class and the four corners; pixels are counted from a pixel's corner, and by us from its centre."""
    kind, x, y, depth, width, turn_rad = map(float, row)
    box = ((x + 0.5, y + 0.5), (depth, width), float(np.degrees(turn_rad)))
    corners = np.clip(cv2.boxPoints(box) / side_px, 0.0, 1.0)
    return " ".join((str(int(kind)), *(f"{value:.5f}" for value in corners.ravel()))) + "\n"
