"""Picture ring: the newest settled pictures on the disk, the oldest of which go when there is no more room."""

import contextlib
import os
from collections import OrderedDict
from pathlib import Path

from pydantic import BaseModel

from api.camera.protocol import SettledPicture
from models.camera import Camera, CameraPose
from models.vocabulary import NotNegative

FOLDER = "pictures"


class _Kept(BaseModel):
    """All of a settled picture but its pixels."""

    t_s: NotNegative
    taken_at_s: float
    pose_age_s: NotNegative
    camera: Camera
    pose: CameraPose
    table_mm: tuple[float, float]


class PictureRing:
    """Settled pictures by the number of the journal's line that holds their state, within so many bytes."""

    def __init__(self, folder: Path, *, most_bytes: int) -> None:
        """What the last server kept is known again; parts of what it did not finish are removed."""
        self._folder = folder / FOLDER
        self._most_bytes = most_bytes
        self._sizes: OrderedDict[int, int] = OrderedDict()
        for path in sorted(self._folder.glob("*")) if self._folder.is_dir() else ():
            facts = path.with_suffix(".json")
            if path.suffix == ".jpg" and path.stem.isdigit() and facts.exists():
                self._sizes[int(path.stem)] = path.stat().st_size + facts.stat().st_size
            elif path.suffix == ".part":
                with contextlib.suppress(OSError):
                    path.unlink()

    def __contains__(self, line: int) -> bool:
        return line in self._sizes

    def size_bytes(self) -> int:
        """How much room it takes now."""
        return sum(self._sizes.values())

    def put(self, line: int, picture: SettledPicture) -> None:
        """Keep it, and let the oldest go. Raises: OSError."""
        facts = _Kept(**{name: getattr(picture, name) for name in _Kept.model_fields}).model_dump_json().encode()
        size = len(picture.jpeg) + len(facts)
        if size > self._most_bytes:
            return
        while self._sizes and self.size_bytes() + size > self._most_bytes:
            self._drop(next(iter(self._sizes)))
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._write(line, ".jpg", picture.jpeg)
        self._write(line, ".json", facts)
        self._sizes[line] = size

    def get(self, line: int) -> SettledPicture | None:
        """The picture in which the state of this line was measured; None when it is gone, or cannot be read."""
        try:
            jpeg = self._path(line, ".jpg").read_bytes()
            kept = _Kept.model_validate_json(self._path(line, ".json").read_bytes())
        except (OSError, ValueError):
            return None
        return SettledPicture(jpeg=jpeg, **{name: getattr(kept, name) for name in _Kept.model_fields})

    def _path(self, line: int, suffix: str) -> Path:
        return self._folder / f"{line:08d}{suffix}"

    def _write(self, line: int, suffix: str, content: bytes) -> None:
        part = self._path(line, f"{suffix}.part")
        try:
            part.write_bytes(content)
            os.replace(part, self._path(line, suffix))
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()
            raise

    def _drop(self, line: int) -> None:
        for suffix in (".json", ".jpg"):
            with contextlib.suppress(OSError):
                self._path(line, suffix).unlink()
        self._sizes.pop(line, None)
