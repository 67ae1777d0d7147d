"""Single images: the newest picture of a source, one each time it is asked for."""

from collections.abc import Callable
from pathlib import Path

from api.camera.live_source import is_live, live_frames
from api.storage.files import read_picture
from calibration.arrays import Image
from models.errors import SourceLost
from vision.capture.sources import read_frames

_STILLS = {".jpg", ".jpeg", ".png"}


def image_grabber(source: str) -> Callable[[], Image]:
    """A camera or stream gives what it sees then; a picture itself, a folder or a recording its first picture.

    What is returned raises SourceLost or BadFile.
    """
    if is_live(source):
        return lambda: _grab_live(source)
    path = Path(source)
    if path.suffix.lower() in _STILLS:
        return lambda: read_picture(path)
    return lambda: _read_first(path)


def _grab_live(source: str) -> Image:
    """Opened anew each time, so that a camera is not held while somebody taps."""
    frames = live_frames(source)
    for frame in frames:
        return frame.image
    raise SourceLost(f"{source}: no picture came", field="source", value=source)


def _read_first(path: Path) -> Image:
    for frame in read_frames(path):
        return frame.image
    raise SourceLost(f"{path}: holds no picture", field="source", value=str(path))
