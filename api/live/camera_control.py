"""Camera control: what the server asks of the camera's process, and the pictures and checks that come back."""

import secrets
from collections import deque
from collections.abc import Iterable, Sequence
from queue import SimpleQueue

from api.camera.protocol import CameraCommands, ChangedPart, ImageReport
from api.errors import NoCamera
from api.identity.open_questions import OpenQuestions
from api.live.expected_bases import count_expected
from api.setups.schemas import ExpectedMiniature
from models.camera import CameraPose
from models.self_check import SelfCheck

_MOST_KEPT = 32  # versions whose changes are known: a phone that missed more gets the whole


class CameraControl:
    """The camera's process as the server may command it; a table that was written by hand has none."""

    def __init__(self, commands: CameraCommands | None, questions: OpenQuestions) -> None:
        self.check: SelfCheck | None = None
        self.images: SimpleQueue[ImageReport] = SimpleQueue()
        self._commands = commands
        self._questions = questions

    def attach(self, commands: CameraCommands) -> None:
        """Another process listens to these; what was asked of the last one is asked no more."""
        self._commands = commands

    def want_pictures(self, *, wanted: bool) -> None:
        """Whether anybody looks at pictures of the table."""
        if self._commands is not None:
            (self._commands.pictures.set if wanted else self._commands.pictures.clear)()

    def set_expected_counts(self, expected: Iterable[ExpectedMiniature]) -> None:
        """So many bases of each size are expected."""
        if self._commands is not None:
            self._commands.expected.put(dict(count_expected(expected)))

    def reset_pose(self) -> None:
        """Find the table again. Raises: NoCamera."""
        self._require().register.set()

    def set_camera_pose(self, pose: CameraPose) -> None:
        """The camera's pose is this, as somebody tapped it. Raises: NoCamera."""
        self._require().poses.put(pose)

    def request_image(self, *, with_room: bool) -> None:
        """Send a picture, which comes to `images` alone. Raises: NoCamera."""
        while not self.images.empty():
            self.images.get()
        commands = self._require()
        (commands.whole if with_room else commands.edged).set()

    def request_self_check(self) -> None:
        """Compare what is measured with what is known. Raises: NoCamera."""
        self.check = None
        self._require().check.set()

    def resolve_identity(self, question: str, ids: Sequence[str]) -> None:
        """These are who stands there. Raises: NoSuchQuestion, BadInput, NoCamera."""
        self._questions.check(question, ids)
        self._require().answers.put((question, tuple(ids)))

    def _require(self) -> CameraCommands:
        if self._commands is None:
            raise NoCamera("This table was written by hand; there is no camera that could look.")
        return self._commands


class LivePicture:
    """The newest picture of the table, and what changed in it since an earlier one.

    Versions count from 1; a phone names the one it holds by `name`, which no other server's picture has.
    """

    def __init__(self) -> None:
        self.jpeg: bytes | None = None
        self.version = 0
        self._run = secrets.token_hex(4)
        self._changes: deque[ChangedPart | None] = deque(maxlen=_MOST_KEPT)

    @property
    def name(self) -> str:
        """Which picture of which run of the server this is."""
        return f"{self._run}-{self.version}"

    def renew(self, jpeg: bytes, changed: ChangedPart | None = None) -> None:
        """This is the picture now; None: it may have changed anywhere."""
        self.jpeg, self.version = jpeg, self.version + 1
        self._changes.append(changed)

    def changed_since(self, name: str) -> ChangedPart | None:
        """All that changed since the picture of this name; None where that is not known, empty where nothing did."""
        run, _, number = name.partition("-")
        missed = self.version - int(number) if number.isdecimal() and run == self._run else -1
        if not 0 <= missed <= len(self._changes):
            return None
        parts = list(self._changes)[len(self._changes) - missed :]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        if not known:
            return ChangedPart(0, 0, 0, 0)
        left, top, right, bottom = zip(*known, strict=True)
        return ChangedPart(min(left), min(top), max(right), max(bottom))
