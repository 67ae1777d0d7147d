"""What players may measure at a table: where their rulebook restricts it, nothing from where nobody stands."""

from collections.abc import Collection

from api.memory import Ask
from models.queries import Asked
from models.state import TableState
from models.verdict import Verdict
from models.words import Id
from referee import EDITIONS
from referee.disclosing import unlicensed
from referee.licence import Licence
from referee.situation import Situation

_UNGONE = "Nothing is measured from where nobody stands, nor along a way that nobody goes: make the move, then ask."


def is_measuring_free(state: TableState) -> bool:
    """Whether everybody may measure everything at any time, by the rulebook or as the players agreed."""
    return EDITIONS[state.edition].measuring == "free" or state.house_rules.get("measure-policy") == "allow"


def of_ghosts(ask: Ask, ghosts: Collection[Id]) -> Ask:
    """The same referee, who tells of a table with ghosts only what eyes tell, where measuring is restricted."""
    if not ghosts:
        return ask

    def asked(state: TableState, query: Asked) -> Verdict:
        if is_measuring_free(state):
            return ask(state, query)
        verdict = ask(_undeclared(state), query)
        licence = verdict.value.get("licence")
        if licence is None or licence == "sight" or verdict.status == "refused":
            return verdict
        edition = EDITIONS[state.edition]
        shut = Licence(str(licence), unlock=str(licence), advice=_UNGONE)
        return unlicensed(Situation(state, edition.id), query, edition, shut)

    return asked


def _undeclared(state: TableState) -> TableState:
    """The same table before anything was declared: what was declared opens nothing for those who are not there."""
    if state.turn is None or state.turn.declared is None:
        return state
    fields = {name: getattr(state, name) for name in TableState.model_fields}
    return TableState(**(fields | {"turn": state.turn.model_copy(update={"declared": None})}))
