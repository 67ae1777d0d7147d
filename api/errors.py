"""What can go wrong at the server's edge.

TablesideError
├── BadInput
│   ├── TooMuch         more than the server takes at once (HTTP 413)
│   ├── NotOnAir        the stream shows nothing of that number (HTTP 404)
│   ├── NotAllowed      the seat does not carry the right (HTTP 403)
│   ├── ElsewhereAsked  a page of another site asked (HTTP 403)
│   ├── NoSeats         everybody is trusted here, so there is no seat to take (HTTP 409)
│   ├── WrongCode       nobody has handed out this code (HTTP 403)
│   ├── TooManyTries    too many wrong codes in a minute (HTTP 429)
│   ├── BadCorrection   a correction that this table cannot take
│   ├── ToldMeanwhile   somebody else has told the same since the asker looked (HTTP 409)
│   ├── NoSuchSetup     no setup of that name is kept (HTTP 404)
│   ├── NothingToUndo   every step is undone, or done again (HTTP 409)
│   ├── NoClocks        no clocks are set (HTTP 409)
│   ├── NoSuchRuling    no ruling of that number was written (HTTP 404)
│   ├── NoSuchQuestion  nobody asks that about who is who (HTTP 404)
│   └── NoSuchMoment    the journal knows no table from then (HTTP 404)
└── WorldError
    ├── NoTableYet      nothing has been seen so far (HTTP 503)
    ├── NoPicture       there is no picture of the table (HTTP 404)
    ├── RecordingEnded  the recording is over; the last table stays
    ├── CameraFailed    the camera's process died (the server lives on)
    ├── CameraMoved     the camera was moved so far that no ruling is given
    ├── CameraHidden    nobody can say whether the camera was moved
    ├── NoCamera        a state written by hand has none (HTTP 409)
    └── JournalFailed   what should be kept cannot be written
"""

from models.errors import BadInput, WorldError


class TooMuch(BadInput):
    """A request is larger than the server reads, or there are more of them than it answers at once."""

    code = "input/too_much"
    title = "This is more than the server takes at once"
    status = 413


class NotAllowed(BadInput):
    """Something was asked that another seat may do; join with that seat's code."""

    code = "seat/not_allowed"
    title = "This seat may not do that"
    status = 403


class RoomShown(BadInput):
    """What would be shown is the room and who is in it; only a judge may look before the table's edge is known."""

    code = "seat/room_shown"
    title = "The picture would show the room"
    status = 403


class ElsewhereAsked(BadInput):
    """A browser said that a page of another site asked for a change."""

    code = "seat/elsewhere"
    title = "Another site may change nothing here"
    status = 403


class NoSeats(BadInput):
    """The server was started without seats: everybody may do everything, and there is no seat to take."""

    code = "seat/none"
    title = "There are no seats at this table"
    status = 409


class WrongCode(BadInput):
    """Nobody at this table has handed out this code."""

    code = "seat/wrong_code"
    title = "This code opens no seat"
    status = 403


class TooManyTries(BadInput):
    """Too many wrong codes came from one place within a minute."""

    code = "seat/too_many_tries"
    title = "Too many wrong codes"
    status = 429


class BadCorrection(BadInput):
    """A correction names something that is not there, or would leave a state that is no table."""

    code = "correction/invalid"
    title = "The correction does not fit this table"


class ToldMeanwhile(BadInput):
    """Two told the same at once; the first to come holds, and the other is asked to look before telling it anew."""

    code = "correction/told_meanwhile"
    title = "Somebody else has just told this"
    status = 409


class NoSuchSetup(BadInput):
    """No setup of that name is kept at this table."""

    code = "setup/unknown"
    title = "There is no such setup"
    status = 404


class NothingToUndo(BadInput):
    """There is no step to take back or to do again, or the one that was named is not such a step."""

    code = "correction/nothing_to_undo"
    title = "There is no such step"
    status = 409


class NoSuchQuestion(BadInput):
    """Nothing of that name is asked about who is who, or it has been settled."""

    code = "unsure/no_such_question"
    title = "That is not asked"
    status = 404


class NoSuchMoment(BadInput):
    """The journal does not go back so far, or not on so far."""

    code = "moment/unknown"
    title = "There is no such moment"
    status = 404


class NoClocks(BadInput):
    """Something is done to the clocks of a game that is played without."""

    code = "clocks/not_set"
    title = "There are no clocks"
    status = 409


class NoSuchRuling(BadInput):
    """The journal holds no ruling on that line, or it was withdrawn already."""

    code = "ruling/unknown"
    title = "There is no such ruling"
    status = 404


class NotOnAir(BadInput):
    """Something is asked of a verdict that the stream has not shown lately."""

    code = "overlay/not_on_air"
    title = "This is not on air"
    status = 404


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
    """The process that watches the camera has died; the server lives on with the last table, and starts another."""

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


class JournalFailed(WorldError):
    """The disk is full or gone; the table is judged on, and what was to be kept has not been done."""

    code = "world/journal_failed"
    title = "The journal cannot be written"
