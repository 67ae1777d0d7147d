"""Errors of the server's edge, each an RFC 9457 problem with a stable code.

All are leaves: of `BadInput`, which the asker can mend, or of `WorldError`, where the world has to change. Those of
the hall are in `api/hall/errors.py`.
"""

from models.errors import BadInput, WorldError


class TooMuch(BadInput, code="input/too_much", title="This is more than the server takes at once", status=413):
    """A request is larger than the server reads, or there are more of them than it answers at once."""


class TooManyQuestions(BadInput, code="input/too_many_questions", title="Too many questions at once", status=429):
    """As many questions are being answered as one address, or all who have no seat, may have answered at once."""


class OverBudget(WorldError, code="world/over_budget", title="This takes longer to work out than you may ask for"):
    """The answer takes more processor time or memory than one question may, or the asker's seat or address has used up
    what it may have at once: ask again after `retry_after_s` seconds, ask about less, or take a seat."""


class NotAllowed(BadInput, code="seat/not_allowed", title="This seat may not do that", status=403):
    """Something was asked that another seat may do; join with that seat's code."""


class RoomShown(BadInput, code="seat/room_shown", title="The picture would show the room", status=403):
    """What would be shown is the room and who is in it; only a judge may look before the table's edge is known."""


class CrossOriginRequest(BadInput, code="seat/elsewhere", title="Another site may change nothing here", status=403):
    """A browser said that a page of another site asked for a change."""


class UnknownHost(BadInput, code="seat/unknown_host", title="This table is not called so", status=421):
    """A browser asks for a name that is not this table's: some other site's name was pointed at this machine."""


class NoSeats(BadInput, code="seat/none", title="There are no seats at this table", status=409):
    """The server was started without seats: everybody may do everything, and there is no seat to take."""


class ScoreConflict(BadInput, code="seat/told_meanwhile", title="Somebody else has just said this", status=409):
    """Somebody else has told a name or the score since the asker looked, or plays under that name or on that side."""


class WrongCode(BadInput, code="seat/wrong_code", title="This code opens no seat", status=403):
    """Nobody at this table has handed out this code."""


class TooManyTries(BadInput, code="seat/too_many_tries", title="Too many wrong codes", status=429):
    """Too many wrong codes came within a minute, from one place or from all."""


class BadCorrection(BadInput, code="correction/invalid", title="The correction does not fit this table"):
    """A correction names something that is not there, or would leave a state that is no table."""


class CorrectionConflict(
    BadInput, code="correction/told_meanwhile", title="Somebody else has just told this", status=409
):
    """Two told the same at once; the first to come holds, and the other is asked to look before telling it again."""


class NoSuchSetup(BadInput, code="setup/unknown", title="There is no such setup", status=404):
    """No setup of that name is kept at this table."""


class BadRoster(BadInput, code="roster/invalid", title="The army list cannot be read"):
    """An army list is broken, too large, or of no format that is known; nothing that was named before is lost."""


class UnclearRoster(BadRoster, code="roster/unclear", title="Too little of the army list is understood"):
    """Fewer than nine in ten lines of a text are understood, or it was read line by line: a player mends them."""


class BadLayout(BadInput, code="roster/layout_invalid", title="The layout file cannot be read"):
    """A file that says how a program's lists look has a wrong template or key."""


class BadCards(BadInput, code="cards/invalid", title="The cards cannot be read"):
    """A file of cards has a wrong field, or names a card twice."""


class BadBook(BadInput, code="edition/invalid", title="The rulebook cannot be read"):
    """A rulebook written as data has a wrong key or value, contradicts itself, or is of a later version; `line` says
    where."""


class WrongAnswers(BadInput, code="edition/wrong_answers", title="The rulebook's tests are not all right"):
    """A test of a rulebook written as data is answered otherwise than it says; `line` says which."""


class OtherBook(BadInput, code="edition/other_book", title="The kept game was played by another rulebook"):
    """A kept game was played by a rulebook written as data that is not the one at hand: it was changed or removed."""


class NothingToUndo(BadInput, code="correction/nothing_to_undo", title="There is no such step", status=409):
    """There is no step to take back or to do again, or the one that was named is not such a step."""


class NoSuchQuestion(BadInput, code="unsure/no_such_question", title="That is not asked", status=404):
    """Nothing of that name is asked about who is who, or it has been settled."""


class NoSuchMoment(BadInput, code="moment/unknown", title="There is no such moment", status=404):
    """The journal does not go back so far, or not on so far."""


class NoClocks(BadInput, code="clocks/not_set", title="There are no clocks", status=409):
    """Something is done to the clocks of a game that is played without."""


class NothingToSettle(BadInput, code="settlement/nothing", title="That settles nothing"):
    """An agreement without an answer, an answer without an agreement, or a question that names nobody here."""


class NoSuchRuling(BadInput, code="ruling/unknown", title="There is no such ruling", status=404):
    """The journal holds no ruling on that line, or it was withdrawn already."""


class NothingKept(BadInput, code="evidence/nothing_kept", title="This table keeps nothing", status=409):
    """The table was started without a folder to keep things in, so nothing of it can be proved."""


class BadGame(BadInput, code="game/invalid", title="This is no kept game"):
    """A file that was given as a kept game holds what no game has, or more than any game holds."""


class NothingToRule(BadInput, code="ruling/nothing", title="There is nothing to rule on like that", status=409):
    """There is no answer to accept, or none so close that the players may roll for it."""


class BrokenJournal(BadInput, code="journal/broken", title="This is not the game as it was written"):
    """A kept game was changed, shortened or spoilt since it was written, or evidence that it names is not there."""


class NotOnAir(BadInput, code="overlay/not_on_air", title="This is not on air", status=404):
    """Something is asked of a verdict that the stream has not shown lately."""


class NoSuchWidget(BadInput, code="overlay/no_such_widget", title="There is no such widget", status=404):
    """No installed package brings a widget of that name, or its file cannot be read."""


class NoTableYet(WorldError, code="world/no_table_yet", title="No table has been seen yet"):
    """The server runs, and no state of a table has reached it so far."""


class NoPicture(WorldError, code="world/no_picture", title="There is no picture of the table", status=404):
    """The table is known, from a file or from before, and no picture of it is at hand."""


class NoBook(WorldError, code="world/no_book", title="There is no rulebook to hand on", status=404):
    """The table is played by a rulebook that ships, and by none that is written as data."""


class RecordingEnded(WorldError, code="world/recording_ended", title="The recording has ended"):
    """A recording has been played to its end; the last table stays and can be asked about."""


class CameraFailed(WorldError, code="world/camera_failed", title="The camera stopped working"):
    """The process that watches the camera has died; the server lives on with the last table, and starts another."""


class CameraTaken(WorldError, code="world/camera_taken", title="Another phone is the camera", status=409):
    """Another phone sends the table's pictures; two cameras at once would be no table."""


class CameraMoved(WorldError, code="world/camera_moved", title="The camera was moved"):
    """The camera was moved farther than is followed: no ruling is given until the table is registered again."""


class CameraHidden(WorldError, code="world/camera_hidden", title="The camera cannot see the table"):
    """Neither fiducials nor background can be made out, so nobody can say whether the camera moved."""


class NoCamera(WorldError, code="world/no_camera", title="There is no camera", status=409):
    """Something was asked of the camera where there is none: the table was written by hand."""


class JournalFailed(WorldError, code="world/journal_failed", title="The journal cannot be written"):
    """The disk is full or gone; the table is judged on, and what was to be kept has not been done."""


class EvidenceNotKept(WorldError, code="world/evidence_not_kept", title="This is not kept"):
    """The table keeps nothing, or the disk takes no evidence now; nothing was written, and the game goes on."""
