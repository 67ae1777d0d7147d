"""Asked verdict: the answer to one question, with the facts that it rests on by one player's word alone."""

from pydantic import Field

from api.answers.one_word import OneWord, facts_under_verdict
from api.answers.unconfirmed_bases import careful_referee
from api.corrections.told_facts import ToldFact
from api.evaluation.cache import Ask
from api.evaluation.hypothetical_table import Hypothesis, apply_hypothesis
from models.queries import BaseQuery
from models.state import TableState
from models.verdict import Verdict


class AskedVerdict(Verdict):
    """A verdict as whoever asks one question hears it; the lines of a sheet say the same of theirs."""

    told: tuple[ToldFact, ...] = Field((), description="what it rests on by one player's word alone")


def ask_question(
    state: TableState, query: BaseQuery, *, ask: Ask, word: OneWord | None, supposing: Hypothesis | None = None
) -> AskedVerdict:
    """The answer about the table, with what is supposed of it. Raises: BadQuery, UnknownThing."""
    whole = state if supposing is None else apply_hypothesis(state, supposing)
    verdict = careful_referee(ask, ghosts=supposing.ghosts if supposing else ())(whole, query)
    told = () if word is None else facts_under_verdict(verdict, state, word, ask=ask, supposing=supposing)
    return AskedVerdict(**dict(verdict) | {"told": told})
