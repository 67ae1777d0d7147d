"""Turn ledger: what a unit did and is this turn, and which acts that bars, by a table that its book declares."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from models.verdict import Reason


@dataclass(frozen=True)
class Bar:
    """Bar: the acts that one deed or state takes away, unless one of some traits lifts it, and the sentence for it."""

    deed: str
    acts: frozenset[str]
    rule: Reason
    unless: frozenset[str] = frozenset()


def bar(deed: str, acts: str, rule: Reason, *, unless: str = "") -> Bar:
    """A row of a book's table; acts and traits are written as short lists."""
    return Bar(deed, frozenset(acts.split()), rule, frozenset(unless.split()))


@dataclass(frozen=True)
class Ledger:
    """Ledger of one unit: its deeds and states of this turn in order, and the rows of the table in force for them."""

    deeds: tuple[str, ...]
    bars: tuple[Bar, ...]

    def why_not(self, act: str) -> list[str]:
        """What bars the act, each deed once and in the order of the table; empty where it is left."""
        return [*dict.fromkeys(row.deed for row in self.bars if act in row.acts)]

    def rules_against(self, acts: Iterable[str]) -> tuple[Reason, ...]:
        """The sentences that bar any of these acts, each once."""
        wanted = frozenset(acts)
        return tuple(dict.fromkeys(row.rule for row in self.bars if row.acts & wanted))

    def value(self, acts: Iterable[str]) -> dict[str, JsonValue]:
        """What is left and what bars the rest, as a verdict shows it."""
        barred = {act: self.why_not(act) for act in acts}
        return {
            "may": [act for act, why in barred.items() if not why],
            "barred": {act: [*why] for act, why in barred.items()},
            "ledger": [_row_value(row, barred) for row in self.bars if not row.acts.isdisjoint(barred)],
        }


def keep_ledger(table: Iterable[Bar], deeds: Iterable[str], traits: Iterable[str] = ()) -> Ledger:
    """The ledger of who did and is that, by this table, with the traits that lift some of its rows."""
    done, lifting = tuple(dict.fromkeys(deeds)), frozenset(traits)
    return Ledger(done, tuple(row for row in table if row.deed in done and lifting.isdisjoint(row.unless)))


def _row_value(row: Bar, barred: Mapping[str, object]) -> JsonValue:
    source = row.rule.source
    place: dict[str, JsonValue] = {"section": source.section} | ({} if source.page is None else {"page": source.page})
    return {"deed": row.deed, "bars": [act for act in barred if act in row.acts], **place}
