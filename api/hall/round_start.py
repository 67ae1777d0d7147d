"""Round start at a table: names, clocks, sides and army lists as the hall has paired them."""

import base64
from collections.abc import Callable
from typing import Any

from pydantic import Field

from api.cards.library import CardLibrary
from api.clocks.entries import ClocksSet
from api.clocks.state import Player
from api.corrections.schemas import TableCorrection
from api.errors import JournalFailed
from api.hall.entries import RoundBegun
from api.lists.army import add_list, remove_list
from api.rosters.read import read_roster
from api.rulings.bench import JudgesBench
from api.seats.schemas import LONGEST_NAME, NewPlayer
from api.setups.entries import RosterSet
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
    told = RoundOrder.model_validate(facts)
    desk.hub.journal.write(RoundBegun(round=told.round, players=told.players))
    troubles = []
    for do in (_name_players, _set_clocks, _set_sides, _lay_lists):
        try:
            do(told, desk, cards)
        except JournalFailed:
            raise
        except (TablesideError, ValueError) as wrong:
            troubles.append(str(wrong))
    return "; ".join(troubles) or None


def _name_players(told: RoundOrder, desk: JudgesBench, _: Callable[[], CardLibrary]) -> None:
    """The players are called what the pairings call them; the score of the last round is not this one's."""
    players = {seat: NewPlayer(name=name[:LONGEST_NAME]) for seat, name in told.players.items()}
    desk.hub.score.begin_game(players, round_=told.round)


def _set_clocks(told: RoundOrder, desk: JudgesBench, _: Callable[[], CardLibrary]) -> None:
    if told.clock_minutes > 0:
        desk.hub.clocks.record(ClocksSet(by="judge", total_s=told.clock_minutes * 60))


def _set_sides(told: RoundOrder, desk: JudgesBench, _: Callable[[], CardLibrary]) -> None:
    """The players are the sides; where each stands stays as the table had it."""
    hub = desk.hub
    before = hub.state.sides if hub.state is not None else ()
    edges = [side.edge for side in before[:2]] + [None, None]
    sides = tuple(Side(id=name, edge=edge) for name, edge in zip(told.players.values(), edges, strict=False))
    hub.undo_log.correct(hub.measured, TableCorrection(do="table", sides=sides), by="judge")


def _lay_lists(told: RoundOrder, desk: JudgesBench, cards: Callable[[], CardLibrary]) -> None:
    before = roster = desk.hub.expected.roster()
    for old in before.lists:
        roster = remove_list(roster, old.side)
    for one in told.lists:
        read = read_roster(base64.b64decode(one.data), name=one.file)
        roster = add_list(roster, read, one.side, cards().cards(), file=one.file)
    if roster != before:
        desk.hub.expect(RosterSet(by="judge", expected=roster.expected, lists=roster.lists))
