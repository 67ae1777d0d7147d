"""One player's word: which answers of a sheet rest on what one player told and nobody agreed to yet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from api.answers.answer_line import Line
from api.answers.pair_sheet import Pair, Sheet, apply_pair
from api.corrections.told_facts import ToldFact
from api.evaluation.cache import Ask
from api.live.entities import members_of
from models.errors import TablesideError
from models.parsing import parse_query
from models.state import TableState
from models.verdict import Verdict


@dataclass(frozen=True)
class OneWord:
    """What holds by one player's word alone, and the table without it."""

    facts: tuple[ToldFact, ...]
    without: TableState


def mark_told(sheets: Iterator[Sheet], state: TableState, pair: Pair, word: OneWord, *, ask: Ask) -> Iterator[Sheet]:
    """The same sheets, each line with the facts that it rests on.

    A line rests on them when its answer is another on the table without them, told by asking it again. Until the sheet
    is whole every line is taken to rest on what was told of its two: nothing looks plainer than it will.
    """
    facts = _facts_about(state, pair, word.facts)
    for sheet in sheets:
        if not facts:
            yield sheet
        elif sheet.is_whole:
            yield _with_lines(sheet, tuple(_mark(line, word, pair, facts, ask) for line in sheet.lines))
        else:
            yield _with_lines(sheet, tuple(line.with_told(facts) for line in sheet.lines))


def _mark(line: Line, word: OneWord, pair: Pair, facts: tuple[ToldFact, ...], ask: Ask) -> Line:
    if line.verdict is None or line.verdict.status == "refused":
        return line
    try:
        plain = ask(apply_pair(word.without, pair), parse_query(line.verdict.query))
    except TablesideError:  # without them it cannot even be asked, as with a weapon that only the told card has
        return line.with_told(facts)
    return line if _says(plain) == _says(line.verdict) else line.with_told(facts)


def _says(verdict: Verdict) -> dict[str, object]:
    """All that a verdict says but of which table, and the book's words."""
    return verdict.model_dump(exclude={"state_id", "query", "because", "house_rules"})


def _facts_about(state: TableState, pair: Pair, facts: Sequence[ToldFact]) -> tuple[ToldFact, ...]:
    """Those about the two; where there are none, what was told of others may still be what is in the way."""
    members = {m.id for id_ in (pair.a, pair.b) for m in members_of(state, id_)}
    about = tuple(fact for fact in facts if members & set(fact.ids))
    return about or tuple(facts)


def _with_lines(sheet: Sheet, lines: tuple[Line, ...]) -> Sheet:
    return Sheet(**{name: getattr(sheet, name) for name in Sheet.model_fields} | {"lines": lines})
