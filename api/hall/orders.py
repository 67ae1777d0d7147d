"""Orders: what the hall asks of a table, done once, and written into the table's journal.

The start of a round gives it names, clocks, sides and army lists as the hall has paired them.
"""

import base64
from collections.abc import Callable
from typing import Any

from pydantic import Field

from api.cards.library import CardLibrary
from api.clocks.entries import ClocksExtended, ClocksSet, ClocksStarted
from api.clocks.state import RULING, Player
from api.corrections.schemas import TableCorrection
from api.errors import JournalFailed
from api.hall.entries import OrderDone, RoundBegun
from api.hall.transport import Order
from api.journal.interface import Journal
from api.lists.army import add_list, remove_list
from api.live.messages import Notice
from api.rosters.read import read_roster
from api.rulings.bench import JudgesBench
from api.seats.schemas import LONGEST_NAME, NewPlayer
from api.setups.schemas import RosterSet
from models.errors import TablesideError
from models.frozen import Frozen
from models.state import Side


class SentList(Frozen):
    """A player's army list, as the hub has it."""

    side: str = Field(min_length=1, max_length=80)
    file: str
    data: str = Field(description="base64")


class RoundOrder(Frozen):
    """What a table is told of a round."""

    says: str = ""
    round: int
    players: dict[Player, str]
    clock_minutes: float = Field(ge=0, le=24 * 60)
    lists: tuple[SentList, ...] = ()


def begin_round(facts: dict[str, Any], desk: JudgesBench, cards: Callable[[], CardLibrary]) -> str | None:
    """Begin the round; what cannot be done of it is the answer, the rest is. Raises: ValueError, JournalFailed."""
    order = RoundOrder.model_validate(facts)
    desk.hub.journal.write(RoundBegun(round=order.round, players=order.players))
    troubles = []
    for do in (_name_players, _set_clocks, _set_sides, _lay_lists):
        try:
            do(order, desk, cards)
        except JournalFailed:
            raise
        except (TablesideError, ValueError) as wrong:
            troubles.append(str(wrong))
    return "; ".join(troubles) or None


def _name_players(order: RoundOrder, desk: JudgesBench, _: Callable[[], CardLibrary]) -> None:
    """The players are called what the pairings call them; the score of the last round is not this one's."""
    players = {seat: NewPlayer(name=name[:LONGEST_NAME]) for seat, name in order.players.items()}
    desk.hub.score.begin_game(players, round_=order.round)


def _set_clocks(order: RoundOrder, desk: JudgesBench, _: Callable[[], CardLibrary]) -> None:
    if order.clock_minutes > 0:
        desk.hub.clocks.record(ClocksSet(by="judge", total_s=order.clock_minutes * 60))


def _set_sides(order: RoundOrder, desk: JudgesBench, _: Callable[[], CardLibrary]) -> None:
    """The players are the sides; where each stands stays as the table had it."""
    hub = desk.hub
    before = hub.state.sides if hub.state is not None else ()
    edges = [side.edge for side in before[:2]] + [None, None]
    sides = tuple(Side(id=name, edge=edge) for name, edge in zip(order.players.values(), edges, strict=False))
    hub.undo_log.correct(hub.measured, TableCorrection(do="table", sides=sides), by="judge")


def _lay_lists(order: RoundOrder, desk: JudgesBench, cards: Callable[[], CardLibrary]) -> None:
    before = roster = desk.hub.expected.roster()
    for old in before.lists:
        roster = remove_list(roster, old.side)
    for sent_list in order.lists:
        read = read_roster(base64.b64decode(sent_list.data), name=sent_list.file)
        roster = add_list(roster, read, sent_list.side, cards().cards(), file=sent_list.file)
    if roster != before:
        desk.hub.expect(RosterSet(by="judge", expected=roster.expected, lists=roster.lists))


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
