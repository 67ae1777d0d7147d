"""Measuring policy: where the rulebook restricts measuring, nothing is told from where nobody stands."""

from collections.abc import Collection

from api.evaluation.cache import Ask
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict
from models.vocabulary import Id
from referee import edition_of
from referee.rules.exact_table import ExactTable
from referee.rules.licence import Licence
from referee.verdicts.disclosure import refuse_unlicensed

_UNGONE = "Nothing is measured from where nobody stands, nor along a way that nobody goes: make the move, then ask."


def is_measuring_free(state: TableState) -> bool:
    """Whether everybody may measure everything at any time, by the rulebook or as the players agreed."""
    return edition_of(state).measuring == "free" or state.house_rules.get("measure-policy") == "allow"


def free_measuring(state: TableState) -> TableState:
    """The same table, on which everybody may measure everything."""
    if is_measuring_free(state):
        return state
    fields = {name: getattr(state, name) for name in TableState.model_fields}
    return TableState(**(fields | {"house_rules": {**state.house_rules, "measure-policy": "allow"}}))


def guard_ghosts(ask: Ask, ghosts: Collection[Id]) -> Ask:
    """The same referee, who tells of a table with ghosts only what eyes tell, where measuring is restricted."""
    if not ghosts:
        return ask

    def ask_licensed(state: TableState, query: BaseQuery) -> Verdict:
        if is_measuring_free(state):
            return ask(state, query)
        verdict = ask(_without_declaration(state), query)
        licence = verdict.value.get("licence")
        if licence is None or licence == "sight" or verdict.status == "refused":
            return verdict
        edition = edition_of(state)
        shut = Licence(str(licence), unlock=str(licence), advice=_UNGONE)
        return refuse_unlicensed(ExactTable(state, edition), query, edition, shut)

    return ask_licensed


def _without_declaration(state: TableState) -> TableState:
    """The same table before anything was declared: what was declared opens nothing for those who are not there."""
    if state.turn is None or state.turn.declared is None:
        return state
    fields = {name: getattr(state, name) for name in TableState.model_fields}
    return TableState(**(fields | {"turn": state.turn.model_copy(update={"declared": None})}))
