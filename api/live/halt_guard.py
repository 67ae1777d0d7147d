"""Halt guard: no verdict about now while nobody knows the camera's pose; earlier moments are answered."""

from collections.abc import Sequence
from dataclasses import dataclass

from api.evaluation.cache import Ask, Begin, VerdictCache, begin_nothing
from api.live.hub import Hub
from models.halt import Halt
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from referee.verdicts.disclosure import query_fields


@dataclass(frozen=True)
class RefereePorts:
    """Two referees: one about now, one about moments at which the camera's pose was known."""

    now: Ask
    earlier: Ask
    begin: Begin = begin_nothing

    def about(self, at: int | None) -> Ask:
        """Who answers about this moment; None is now."""
        return self.now if at is None else self.earlier


def referee_ports(hub: Hub, ask: VerdictCache) -> RefereePorts:
    """This referee, silent about now while the hub is halted."""

    def begin(state: TableState, queries: Sequence[BaseQuery]) -> None:
        if hub.source.halt is None:
            ask.begin(state, queries)

    return RefereePorts(now=refuse_while_halted(hub, ask), earlier=ask, begin=begin)


def refuse_while_halted(hub: Hub, ask: Ask) -> Ask:
    """The same, but refusing, with what would end it, while the hub is halted."""

    def ask_unless_halted(state: TableState, query: BaseQuery) -> Verdict:
        return ask(state, query) if hub.source.halt is None else _refuse(state, query, hub.source.halt)

    return ask_unless_halted


def _refuse(state: TableState, query: BaseQuery, halt: Halt) -> Verdict:
    return Verdict(
        kind=query.kind,  # type: ignore[attr-defined]
        edition=state.edition,
        book=state.book_stamp,
        status="refused",
        value={"why": halt.why},
        advice=halt.says,
        unlock=halt.unlock,
        state_id=state.state_id,
        query=query_fields(query),
    )
