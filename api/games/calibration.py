"""Calibration of a kept game: the camera and the layout it is measured by, in a folder beside its journal."""

from pathlib import Path

from api.storage.files import folder_fault, write_whole
from models.camera import Camera
from models.layout import Layout

FOLDER = "calibration"
NAMES = ("camera.json", "layout.json")


def keep_calibration(data: Path, camera: Camera, layout: Layout) -> None:
    """Write both down, in place of those of the run before. Raises: BadFile."""
    folder = data / FOLDER
    try:
        folder.mkdir(exist_ok=True)
    except OSError as wrong:
        raise folder_fault(folder, wrong) from wrong
    for name, what in zip(NAMES, (camera, layout), strict=True):
        write_whole(folder / name, what.model_dump_json(indent=1))


def calibration_files(data: Path) -> dict[str, Path]:
    """Those that are kept there, by their names in a game that is handed on."""
    named = {f"{FOLDER}/{name}": data / FOLDER / name for name in NAMES}
    return {name: path for name, path in named.items() if path.is_file()}
