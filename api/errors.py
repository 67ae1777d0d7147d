"""Errors of the server's edge, each an RFC 9457 problem with a stable code.

TablesideError
├── BadInput
│   ├── TooMuch            more than the server takes at once (HTTP 413)
│   ├── TooManyQuestions   all places for such askers are taken (HTTP 429)
│   ├── NotOnAir           the stream shows nothing of that number (HTTP 404)
│   ├── NotAllowed         the seat does not carry the right (HTTP 403)
│   ├── RoomShown          the picture would show the room, and who asks judges nothing (HTTP 403)
│   ├── CrossOriginRequest a page of another site asked (HTTP 403)
│   ├── UnknownHost        asked by a name that is not the table's (HTTP 421)
│   ├── NoSeats            everybody is trusted here, so there is no seat to take (HTTP 409)
│   ├── ScoreConflict      a name or a score that somebody else has changed meanwhile, or has taken (HTTP 409)
│   ├── WrongCode          nobody has handed out this code (HTTP 403)
│   ├── TooManyTries       too many wrong codes in a minute (HTTP 429)
│   ├── BadCorrection      a correction that this table cannot take
│   ├── CorrectionConflict somebody else has told the same since the asker looked (HTTP 409)
│   ├── NoSuchSetup        no setup of that name is kept (HTTP 404)
│   ├── BadRoster          an army list that cannot be read
│   ├── BadCards           a card library that cannot be read
│   ├── BadBook            a rulebook written as data that cannot be read
│   ├── WrongAnswers       its tests are not all answered as it says (exit 2)
│   ├── OtherBook          a kept game was played by another rulebook (exit 2)
│   ├── NothingToUndo      every step is undone, or done again (HTTP 409)
│   ├── NoClocks           no clocks are set (HTTP 409)
│   ├── NothingToSettle    a settlement that settles nothing
│   ├── NoSuchRuling       no ruling of that number was written (HTTP 404)
│   ├── NothingKept        the table keeps no evidence at all (HTTP 409)
│   ├── BadGame            a file that is no kept game (exit 2)
│   ├── NothingToRule      no answer to accept, or none so close that players may roll (HTTP 409)
│   ├── BrokenJournal      a kept game is not what was written (exit 2)
│   ├── NoSuchQuestion     nobody asks that about who is who (HTTP 404)
│   ├── NoSuchMoment       the journal knows no table from then (HTTP 404)
│   ├── BadEnvelope        a message that the hub cannot read
│   ├── BadKey             a file that is no key, or another table's
│   ├── WrongKey           no table of the hall has this key (HTTP 403)
│   ├── HubRefused         the hub takes nothing from this table
│   ├── TableTwice         another journal writes under this number (HTTP 409)
│   ├── RestoredCopy       the table's folder is an old copy (HTTP 409)
│   ├── NoSuchHallTable    the event has no such table (HTTP 404)
│   ├── NoSuchCall         nobody called with that number (HTTP 404)
│   ├── CallConflict       another judge has the call, or it is closed (HTTP 409)
│   ├── BadPairings        a file of pairings that cannot be read, or does not fit the event
│   ├── NoSuchRound        the event has no such round, or no such pairing in it (HTTP 404)
│   ├── RoundConflict      the round has begun, or is over (HTTP 409)
│   ├── NoSuchPenalty      no such penalty was given, or none is called so (HTTP 404)
│   └── NoHall             this table belongs to no hall (HTTP 409)
└── WorldError
    ├── OverBudget         the asker has used up the processor time of its seat or address (HTTP 503)
    ├── NoTableYet         nothing has been seen so far (HTTP 503)
    ├── NoPicture          there is no picture of the table (HTTP 404)
    ├── RecordingEnded     the recording is over; the last table stays
    ├── CameraFailed       the camera's process died (the server lives on)
    ├── CameraTaken        another phone is the camera (HTTP 409)
    ├── CameraMoved        the camera was moved so far that no ruling is given
    ├── CameraHidden       nobody can say whether the camera was moved
    ├── NoCamera           a state written by hand has none (HTTP 409)
    ├── JournalFailed      what should be kept cannot be written
    ├── EvidenceNotKept    the evidence of a verdict cannot be written (HTTP 503)
    ├── HubAway            the hub or its broker cannot be reached
    ├── HubDisagrees       the hub's newest line is another one (HTTP 409)
    ├── HallStoreFailed    the hub's database cannot be written
    └── NoJetStream        the broker keeps no streams
"""

from models.errors import BadInput, WorldError


class TooMuch(BadInput):
    """A request is larger than the server reads, or there are more of them than it answers at once."""

    code = "input/too_much"
    title = "This is more than the server takes at once"
    status = 413


class TooManyQuestions(BadInput):
    """As many questions are being answered as one address, or all who have no seat, may have answered at once."""

    code = "input/too_many_questions"
    title = "Too many questions at once"
    status = 429


class OverBudget(WorldError):
    """The answer takes more processor time or memory than one question may, or the asker's seat or address has used up
    what it may have at once: ask again after `retry_after_s` seconds, ask about less, or take a seat."""

    code = "world/over_budget"
    title = "This takes longer to work out than you may ask for"


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


class CrossOriginRequest(BadInput):
    """A browser said that a page of another site asked for a change."""

    code = "seat/elsewhere"
    title = "Another site may change nothing here"
    status = 403


class UnknownHost(BadInput):
    """A browser asks for a name that is not this table's: some other site's name was pointed at this machine."""

    code = "seat/unknown_host"
    title = "This table is not called so"
    status = 421


class NoSeats(BadInput):
    """The server was started without seats: everybody may do everything, and there is no seat to take."""

    code = "seat/none"
    title = "There are no seats at this table"
    status = 409


class ScoreConflict(BadInput):
    """Somebody else has told a name or the score since the asker looked, or plays under that name or on that side."""

    code = "seat/told_meanwhile"
    title = "Somebody else has just said this"
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


class CorrectionConflict(BadInput):
    """Two told the same at once; the first to come holds, and the other is asked to look before telling it again."""

    code = "correction/told_meanwhile"
    title = "Somebody else has just told this"
    status = 409


class NoSuchSetup(BadInput):
    """No setup of that name is kept at this table."""

    code = "setup/unknown"
    title = "There is no such setup"
    status = 404


class BadRoster(BadInput):
    """An army list is broken, too large, or of no format that is known; nothing that was named before is lost."""

    code = "roster/invalid"
    title = "The army list cannot be read"


class BadCards(BadInput):
    """A file of cards has a wrong field, or names a card twice."""

    code = "cards/invalid"
    title = "The cards cannot be read"


class BadBook(BadInput):
    """A rulebook written as data has a wrong key or value, contradicts itself, or is of a later version; `line` says
    where."""

    code = "edition/invalid"
    title = "The rulebook cannot be read"


class WrongAnswers(BadInput):
    """A test of a rulebook written as data is answered otherwise than it says; `line` says which."""

    code = "edition/wrong_answers"
    title = "The rulebook's tests are not all right"


class OtherBook(BadInput):
    """A kept game was played by a rulebook written as data that is not the one at hand: it was changed or removed."""

    code = "edition/other_book"
    title = "The kept game was played by another rulebook"


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


class NothingToSettle(BadInput):
    """An agreement without an answer, an answer without an agreement, or a question that names nobody here."""

    code = "settlement/nothing"
    title = "That settles nothing"


class NoSuchRuling(BadInput):
    """The journal holds no ruling on that line, or it was withdrawn already."""

    code = "ruling/unknown"
    title = "There is no such ruling"
    status = 404


class NothingKept(BadInput):
    """The table was started without a folder to keep things in, so nothing of it can be proved."""

    code = "evidence/nothing_kept"
    title = "This table keeps nothing"
    status = 409


class BadGame(BadInput):
    """A file that was given as a kept game holds what no game has, or more than any game holds."""

    code = "game/invalid"
    title = "This is no kept game"


class NothingToRule(BadInput):
    """There is no answer to accept, or none so close that the players may roll for it."""

    code = "ruling/nothing"
    title = "There is nothing to rule on like that"
    status = 409


class BrokenJournal(BadInput):
    """A kept game was changed, shortened or spoilt since it was written, or evidence that it names is not there."""

    code = "journal/broken"
    title = "This is not the game as it was written"


class NotOnAir(BadInput):
    """Something is asked of a verdict that the stream has not shown lately."""

    code = "overlay/not_on_air"
    title = "This is not on air"
    status = 404


class BadEnvelope(BadInput):
    """A message of a table is malformed, of a newer version, or of another event or table."""

    code = "hall/bad_message"
    title = "The hub cannot read this message"


class BadKey(BadInput):
    """A file of keys is none, or is the key of another table."""

    code = "hall/bad_key"
    title = "The key is not usable"


class WrongKey(BadInput):
    """The hub knows no such table, or the key is not its own; or a seat in the hall may not do that."""

    code = "hall/wrong_key"
    title = "This key opens nothing here"
    status = 403


class HubRefused(BadInput):
    """The hub does not take what a table sends: wrong key, wrong event, or a hub too old for the message."""

    code = "hall/refused"
    title = "The hub refuses this table"


class TableTwice(BadInput):
    """Another journal writes under this table's number: a second machine, or a new folder; a person must decide."""

    code = "hall/table_twice"
    title = "This table's number is taken"
    status = 409


class RestoredCopy(BadInput):
    """A table's folder is an old copy: the hub holds lines that it does not have, or that read otherwise."""

    code = "hall/restored_copy"
    title = "The table's folder is an old copy"
    status = 409


class NoSuchHallTable(BadInput):
    """The event has no table of that number."""

    code = "hall/unknown_table"
    title = "There is no such table in the hall"
    status = 404


class NoSuchCall(BadInput):
    """Nobody called with that number."""

    code = "hall/unknown_call"
    title = "There is no such call"
    status = 404


class CallConflict(BadInput):
    """Another judge has the call, or it is closed, or nobody has taken it yet."""

    code = "hall/call_taken"
    title = "The call is not open to this"
    status = 409


class BadPairings(BadInput):
    """A file of pairings is none, has columns that nobody has mapped, or names a player or a table twice or wrongly."""

    code = "hall/bad_pairings"
    title = "These pairings cannot be taken"


class NoSuchRound(BadInput):
    """The event has no round of that number, or nobody is paired at that table in it."""

    code = "hall/unknown_round"
    title = "There is no such round"
    status = 404


class RoundConflict(BadInput):
    """The round has begun or is over, or another one still runs."""

    code = "hall/round_conflict"
    title = "The round is not where this is possible"
    status = 409


class NoSuchPenalty(BadInput):
    """No penalty of that number was given, or the organiser's list has none of that name."""

    code = "hall/unknown_penalty"
    title = "There is no such penalty"
    status = 404


class NoHall(BadInput):
    """Something is asked of the hall at a table that belongs to none."""

    code = "hall/none"
    title = "This table belongs to no hall"
    status = 409


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


class CameraTaken(WorldError):
    """Another phone sends the table's pictures; two cameras at once would be no table."""

    code = "world/camera_taken"
    title = "Another phone is the camera"
    status = 409


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


class EvidenceNotKept(WorldError):
    """The table keeps nothing, or the disk takes no evidence now; nothing was written, and the game goes on."""

    code = "world/evidence_not_kept"
    title = "This is not kept"


class HubAway(WorldError):
    """The hub or its broker cannot be reached, or has no room; the table plays on and sends later."""

    code = "hall/away"
    title = "The hub is away"


class HubDisagrees(WorldError):
    """The hub's newest line is not the one that was expected; it is asked again."""

    code = "hall/disagrees"
    title = "The hub stands elsewhere"
    status = 409


class HallStoreFailed(WorldError):
    """The hub's database cannot be reached, or its disk is full; tables keep what they wrote and send it later."""

    code = "hall/store_failed"
    title = "The hub cannot keep this"


class NoJetStream(WorldError):
    """The NATS server keeps no streams: JetStream is not enabled there."""

    code = "hall/no_jetstream"
    title = "The broker has no JetStream"
