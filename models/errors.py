"""Errors: what can be wrong with what we are given, and who can mend it.

TablesideError
├── BadInput            the asker's fault: a field and its value are named (exit 2, HTTP 422)
│   ├── BadFile         unreadable, truncated or not what it claims to be
│   ├── BadState        a state file that is no table
│   ├── BadQuery        a question the edition does not know, or with a wrong field
│   │   └── UnknownThing   it names something that is not on the table
│   ├── BadBoard, BadLayout, BadCamera
└── WorldError          the world would not cooperate (exit 3, HTTP 503)
    ├── TableNotVisible the picture shows too few fiducials
    ├── TooBlurred      bases would be missed in a picture as soft as this
    ├── SourceLost      the camera or the stream went away
    ├── SourceStalled   it is there, and shows nothing new
    └── CamerasDisagree two cameras put the bases that both see too far apart
"""

import math
from typing import Any, ClassVar


class TablesideError(Exception):
    """Root of all errors we raise on purpose; carries an RFC 9457 problem."""

    code: ClassVar[str] = "tableside/error"
    title: ClassVar[str] = "Something is wrong"
    status: ClassVar[int] = 500

    def __init_subclass__(cls, *, code: str, title: str, status: int | None = None) -> None:
        cls.code, cls.title = code, title
        cls.status = cls.status if status is None else status

    def __init__(self, detail: str, *, field: str | None = None, value: Any = None, **facts: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field
        self.value = value
        self.facts = facts

    def problem(self) -> dict[str, Any]:
        """The RFC 9457 problem object, with the field and the value that caused it."""
        body: dict[str, Any] = {"type": self.code, "title": self.title, "status": self.status, "detail": self.detail}
        if self.field is not None:
            body["field"] = self.field
            body["value"] = _without_nan(self.value)
        return body | self.facts


def _without_nan(value: Any) -> Any:
    """The same value, where a number is none that JSON knows in words."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return [_without_nan(item) for item in value] if isinstance(value, list | tuple) else value


class BadInput(TablesideError, code="input/bad", title="The input is not usable", status=422):
    """The one who asked can mend it."""


class BadFile(BadInput, code="input/bad_file", title="The file or folder cannot be used"):
    """A file is not there, cannot be read or written, is cut short, or is not what its name promises."""


class BadState(BadInput, code="state/invalid", title="The state is no table"):
    """A state has an unknown field, a value outside its bounds, an id twice, or names something it does not hold."""


class BadQuery(BadInput, code="query/invalid", title="The question is not well formed"):
    """A question has an unknown kind or field, or one this edition does not answer; in a list, `index` says which."""


class UnknownThing(BadQuery, code="query/unknown_thing", title="The question names something that is not on the table"):
    """A question names an id that the state does not hold."""


class BadBoard(BadInput, code="board/invalid", title="The calibration board is not usable"):
    """A board file does not describe a calibration board."""


class BadLayout(BadInput, code="layout/invalid", title="The table layout is not usable"):
    """A layout file does not describe a table with its fiducials."""


class BadCamera(BadInput, code="camera/invalid", title="The camera file is not usable"):
    """A camera file does not hold a calibrated camera, or one for another picture size."""


class WorldError(TablesideError, code="world/error", title="The world would not cooperate", status=503):
    """Nobody asked wrongly; the world has to change."""


class TableNotVisible(WorldError, code="world/table_not_visible", title="The table is not visible"):
    """Too few fiducials are seen: something lies on them, the light is gone, or the camera looks elsewhere."""


class TooBlurred(WorldError, code="world/too_blurred", title="The picture is too blurred to measure by"):
    """The table is seen, but so softly that bases would be missed: focus the lens on it, wipe it, or hold it still."""


class SourceLost(WorldError, code="world/source_lost", title="The source went away"):
    """Camera, stream or recording gave no further picture before it was done."""


class SourceStalled(WorldError, code="world/source_stalled", title="The source shows nothing new"):
    """Camera or stream is connected, and its pictures do not come, do not change, or come damaged."""


class CamerasDisagree(WorldError, code="world/cameras_disagree", title="The cameras disagree"):
    """Two cameras put the bases that both see farther apart than their doubt allows: was one of them moved?"""


class FieldFault(ValueError):
    """A value that does not go with the others; `field` is its path from where the validator stands."""

    def __init__(self, says: str, *, field: str, value: Any) -> None:
        super().__init__(says)
        self.field = field
        self.value = value
