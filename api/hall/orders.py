"""Orders: what the hall asks of a table, done once, and written into the table's journal."""

from collections.abc import Callable

from api.cards.library import CardLibrary
from api.clocks.entries import ClocksExtended, ClocksStarted
from api.clocks.state import RULING
from api.errors import JournalFailed
from api.hall.entries import OrderDone
from api.hall.round_start import begin_round
from api.hall.transport import Order
from api.journal.interface import Journal
from api.live.messages import Notice
from api.rulings.bench import JudgesBench
from models.errors import TablesideError


def newest_order(journal: Journal) -> int:
    """The number of the newest order that was done; 0: none."""
    line = journal.newest(OrderDone)
    return line.entry.number if line is not None and isinstance(line.entry, OrderDone) else 0


def carry_out(order: Order, desk: JudgesBench, cards: Callable[[], CardLibrary]) -> None:
    """Do it unless it was done, and write down that it was. On the server's event loop. Raises: JournalFailed."""
    journal = desk.hub.journal
    if order.number <= newest_order(journal):
        return
    trouble = None
    try:
        if order.kind == "go-on":
            _go_on(desk, float(order.facts.get("extension_s", 0)))
        elif order.kind == "round":
            trouble = begin_round(order.facts, desk, cards)
        if says := str(order.facts.get("says", "")):
            desk.hub.broadcast.publish(Notice(seq=desk.hub.broadcast.next_seq(), text=says))
    except JournalFailed:
        raise
    except (TablesideError, ValueError) as wrong:
        trouble = str(wrong)
    facts = {name: value for name, value in order.facts.items() if name != "lists"}
    journal.write(OrderDone(number=order.number, kind=order.kind, facts=facts, trouble=trouble))


def _go_on(desk: JudgesBench, extension_s: float) -> None:
    clocks = desk.hub.clocks.clocks
    if clocks is None:
        return
    if clocks.stop is not None and clocks.stop.why == RULING:
        desk.hub.clocks.record(ClocksStarted(by="judge"))
    if extension_s > 0:
        desk.hub.clocks.record(ClocksExtended(by="judge", player=None, by_s=extension_s, note="time lost for a judge"))
