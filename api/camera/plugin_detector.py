"""Plug-in detectors: the finder of another package proposes; where it fails, the built-in one goes on."""

import logging
from collections.abc import Callable

from api.storage.plugins import load_plugins
from calibration.arrays import Image
from models.base import Catalogue
from models.camera import Camera, CameraPose
from models.errors import BadInput
from models.layout import Layout
from vision.candidates import Box, Candidate, Finder
from vision.detection.network.finder import NetworkFinder
from vision.locate import FinderMaker

log = logging.getLogger(__name__)


def finder_maker(name: str) -> FinderMaker:
    """What makes a plug-in's finder of a catalogue and a layout. Raises: BadInput when none has this name."""
    makers = load_plugins("tableside.detectors").loaded
    if name not in makers:
        says = f"there is no detector {name!r}; plug-ins bring {', '.join(makers) or 'none'}"
        raise BadInput(says, field="detector", value=name)
    maker: FinderMaker = makers[name]
    return maker


class PluginDetector:
    """Makes a plug-in's finders for as long as they work, from the first failure on built-in ones; `tell` hears why."""

    def __init__(self, name: str, *, tell: Callable[[str], None]) -> None:
        self._name, self._tell, self._has_failed = name, tell, False

    def __call__(self, catalogue: Catalogue, layout: Layout) -> Finder:
        """A finder of these sizes on this table."""
        return _Guarded(self, catalogue, layout)

    def finder_of(self, catalogue: Catalogue, layout: Layout) -> Finder:
        """The plug-in's own finder, or the built-in one once it has failed."""
        return (NetworkFinder if self._has_failed else finder_maker(self._name))(catalogue, layout)

    def give_up(self, wrong: Exception) -> None:
        """Use it no more."""
        if self._has_failed:
            raise wrong
        log.warning("detector failed name=%s", self._name, exc_info=wrong)
        self._has_failed = True
        self._tell(f"The detector {self._name} failed ({type(wrong).__name__}: {wrong}). The built-in one goes on.")


class _Guarded:
    """The finder of a detector, made at the first picture."""

    def __init__(self, detector: PluginDetector, catalogue: Catalogue, layout: Layout) -> None:
        self._detector, self._catalogue, self._layout = detector, catalogue, layout
        self._finder: Finder | None = None

    def find(
        self, image: Image, *, camera: Camera, pose: CameraPose, boxes: tuple[Box, ...] | None = None
    ) -> tuple[Candidate, ...]:
        """Candidates of the plug-in, or of the built-in finder."""
        try:
            self._finder = self._finder or self._detector.finder_of(self._catalogue, self._layout)
            return tuple(self._finder.find(image, camera=camera, pose=pose, boxes=boxes))
        except Exception as wrong:  # whatever another's module raises must not end a game
            self._detector.give_up(wrong)
            self._finder = None
        return self.find(image, camera=camera, pose=pose, boxes=boxes)
