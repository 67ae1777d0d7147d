"""What a camera process is to look at."""

from dataclasses import dataclass

from api.sighting import Kept
from models.camera import Camera, CameraPose
from models.layout import Layout
from models.words import EditionId


@dataclass(frozen=True)
class Job:
    """The source is a path, a device number or a URL; the edition says which bases there are.

    `pose` is where the camera hangs, where that is known before it looks; `kept` what another process knew that died.
    """

    source: str
    camera: Camera
    layout: Layout
    edition: EditionId
    is_looping: bool = False
    pose: CameraPose | None = None
    kept: Kept | None = None
