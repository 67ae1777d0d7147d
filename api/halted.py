"""A referee who is silent while nobody knows where the camera hangs; of earlier moments it speaks all the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from api.hub import Hub
from api.memory import Ask, Begin, Remembering, nobody_else
from models.halt import Halt
from models.queries import Asked
from models.state import TableState
from models.verdict import Verdict
from referee.disclosing import asked_as


@dataclass(frozen=True)
class Referees:
    """Who answers: about now, and about moments at which the camera's place was known."""

    now: Ask
    earlier: Ask
    begin: Begin = nobody_else

    def about(self, at: int | None) -> Ask:
        """Who answers about this moment; None is now."""
        return self.now if at is None else self.earlier


def referees(hub: Hub, ask: Remembering) -> Referees:
    """This referee, silent about now while the hub is halted."""

    def begin(state: TableState, queries: Sequence[Asked]) -> None:
        if hub.halt is None:
            ask.begin(state, queries)

    return Referees(now=unless_halted(hub, ask), earlier=ask, begin=begin)


def unless_halted(hub: Hub, ask: Ask) -> Ask:
    """The same, but refusing, with what would end it, while the hub is halted."""

    def asked(state: TableState, query: Asked) -> Verdict:
        return ask(state, query) if hub.halt is None else _refusal(state, query, hub.halt)

    return asked


def _refusal(state: TableState, query: Asked, halt: Halt) -> Verdict:
    return Verdict(
        kind=query.kind,  # type: ignore[attr-defined]
        edition=state.edition,
        status="refused",
        value={"why": halt.why},
        advice=halt.says,
        unlock=halt.unlock,
        state_id=state.state_id,
        query=asked_as(query),
    )
