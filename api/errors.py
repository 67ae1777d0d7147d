"""What can go wrong at the server's edge.

TablesideError
├── BadInput
│   └── TooMuch         more than the server takes at once (HTTP 413)
└── WorldError
    ├── NoTableYet      nothing has been seen so far (HTTP 503)
    ├── NoPicture       there is no picture of the table (HTTP 404)
    ├── RecordingEnded  the recording is over; the last table stays
    └── CameraFailed    the camera's process died (the server lives on)
"""

from models.errors import BadInput, WorldError


class TooMuch(BadInput):
    code = "input/too_much"
    title = "This is more than the server takes at once"
    status = 413


class NoTableYet(WorldError):
    code = "world/no_table_yet"
    title = "No table has been seen yet"


class NoPicture(WorldError):
    code = "world/no_picture"
    title = "There is no picture of the table"
    status = 404


class RecordingEnded(WorldError):
    code = "world/recording_ended"
    title = "The recording has ended"


class CameraFailed(WorldError):
    code = "world/camera_failed"
    title = "The camera stopped working"
