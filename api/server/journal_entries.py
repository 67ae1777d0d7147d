"""Journal entries: every class that a table's journal may hold.

A new type of entry is a class in its feature's `kept_books.py`, and its name here.
"""

from api.books.kept_books import BookOpened
from api.clocks.entries import CLOCK_ENTRIES
from api.corrections.disputes import DisputeAnswered, DisputeOpened
from api.corrections.entries import BaseMeasured, CorrectionAgreed, CorrectionMade, CorrectionRedone, CorrectionUndone
from api.corrections.settlements import DoubtSettled
from api.hall.rounds import HALL_ENTRIES
from api.journal.countersignature import COUNTERSIGNING_ENTRIES
from api.journal.entry import Entry, EventObserved, TableSettled
from api.journal.signature import SIGNING_ENTRIES
from api.journal.timestamp import STAMPING_ENTRIES
from api.live.entries import PastOpened
from api.overlay.schemas import ProductionSet
from api.rulings.entries import RULING_ENTRIES, VerdictKept
from api.seats.entries import CodesMade, DeviceJoined, PlayerNamed, ScoreSaid, SeatsWithdrawn
from api.setups.schemas import RosterSet
from api.tables.schemas import TablesListed

ENTRY_CLASSES: tuple[type[Entry], ...] = (
    TableSettled,
    EventObserved,
    CodesMade,
    DeviceJoined,
    SeatsWithdrawn,
    PlayerNamed,
    ScoreSaid,
    CorrectionMade,
    CorrectionUndone,
    CorrectionAgreed,
    CorrectionRedone,
    BaseMeasured,
    TablesListed,
    RosterSet,
    DoubtSettled,
    DisputeOpened,
    DisputeAnswered,
    BookOpened,
    PastOpened,
    ProductionSet,
    *CLOCK_ENTRIES,
    *RULING_ENTRIES,
    VerdictKept,
    *SIGNING_ENTRIES,
    *COUNTERSIGNING_ENTRIES,
    *STAMPING_ENTRIES,
    *HALL_ENTRIES,
)
