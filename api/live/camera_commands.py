"""Camera commands: what the server asks of the camera's process, and the pictures and checks that come back."""

from collections.abc import Iterable, Sequence
from queue import SimpleQueue

from api.camera.protocol import CameraCommands, ImageReport
from api.errors import NoCamera
from api.identity.open_questions import OpenQuestions
from api.setups.expected_bases import count_expected
from api.setups.schemas import ExpectedMiniature
from models.camera import CameraPose
from models.self_check import SelfCheck


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
        """Find the table anew. Raises: NoCamera."""
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
