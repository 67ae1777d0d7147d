"""A folder with one known table: its picture, and what stands on it."""

from pathlib import Path

import cv2

from models.base import RoundBase
from models.miniature import Miniature
from models.state import TableSize, TableState
from tests.vision import rendered

BASES = (rendered.Base((150.0, 120.0), 50.0), rendered.Base((400.0, 250.0), 40.0, seed=2))


def write_known_table(folder: Path) -> None:
    scene = rendered.Scene(BASES)
    state = TableState(
        edition="warmachine-prime",
        table=TableSize(width_mm=rendered.TABLE_MM[0], depth_mm=rendered.TABLE_MM[1]),
        miniatures=tuple(
            Miniature(id=f"m{k}", base=RoundBase(diameter_mm=base.diameter_mm), at_mm=base.at_mm)
            for k, base in enumerate(BASES)
        ),
    )
    folder.mkdir(exist_ok=True)
    cv2.imwrite(str(folder / "small.png"), rendered.photograph(scene))
    (folder / "small.state.json").write_text(state.model_dump_json(exclude_none=True))
    (folder / "camera.json").write_text(scene.eye.camera().model_dump_json())
    (folder / "layout.json").write_text(rendered.layout().model_dump_json(exclude_none=True))
