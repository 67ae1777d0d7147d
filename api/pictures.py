"""Pictures from files: whole ones only."""

from pathlib import Path

from api.files import text_of
from vision.pictures import Picture as Image
from vision.pictures import decoded

__all__ = ["Image", "read_picture"]


def read_picture(path: Path) -> Image:
    """The picture in BGR, upright as its camera meant it. Raises: BadFile when it is unreadable, none, or cut off."""
    return decoded(text_of(path), field="file", name=str(path))
