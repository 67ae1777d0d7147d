"""What a camera process is to look at."""

from dataclasses import dataclass
from pathlib import Path

from models.camera import Camera
from models.layout import Layout
from models.words import EditionId


@dataclass(frozen=True)
class Job:
    """The source, the camera that made it, the table it shows, and whose rules say which bases there are."""

    source: Path
    camera: Camera
    layout: Layout
    edition: EditionId
    is_looping: bool = False
