"""What can go wrong at the server's edge.

TablesideError
├── BadInput
│   └── TooMuch         more than the server takes at once (HTTP 413)
└── WorldError
    ├── NoTableYet      nothing has been seen so far (HTTP 503)
    ├── NoPicture       there is no picture of the table (HTTP 404)
    ├── RecordingEnded  the recording is over; the last table stays
    ├── CameraFailed    the camera's process died (the server lives on)
    ├── CameraMoved     the camera was moved so far that no ruling is given
    ├── CameraHidden    nobody can say whether the camera was moved
    └── NoCamera        a state written by hand has none (HTTP 409)
"""

from models.errors import BadInput, WorldError


class TooMuch(BadInput):
    """A request is larger than the server reads, or there are more of them than it answers at once."""

    code = "input/too_much"
    title = "This is more than the server takes at once"
    status = 413


class NoTableYet(WorldError):
    """The server runs, and no state of a table has reached it so far."""

    code = "world/no_table_yet"
    title = "No table has been seen yet"


class NoPicture(WorldError):
    """The table is known, from a file or from before, and no picture of it is at hand."""

    code = "world/no_picture"
    title = "There is no picture of the table"
    status = 404


class RecordingEnded(WorldError):
    """A recording has been played to its end; the last table stays and can be asked about."""

    code = "world/recording_ended"
    title = "The recording has ended"


class CameraFailed(WorldError):
    """The process that watches the camera has died; the server lives on with the last table."""

    code = "world/camera_failed"
    title = "The camera stopped working"


class CameraMoved(WorldError):
    """The camera was moved farther than is followed: no ruling is given until the table is registered again."""

    code = "world/camera_moved"
    title = "The camera was moved"


class CameraHidden(WorldError):
    """Neither fiducials nor background can be made out, so nobody can say whether the camera moved."""

    code = "world/camera_hidden"
    title = "The camera cannot see the table"


class NoCamera(WorldError):
    """Something was asked of the camera where there is none: the table was written by hand."""

    code = "world/no_camera"
    title = "There is no camera"
    status = 409
