"""Cell: what a table's lines say of it from afar, folded line by line. Knows no clock of its own."""

import json
from contextlib import suppress
from typing import Any

from pydantic import Field, ValidationError

from api.clocks.state import CLOCK_ENTRIES, Clocks, Player, apply_line
from api.hall.entries import CallWithdrawn, JudgeCalled, ResultTold, RoundBegun
from api.journal.entry import Entry, parse_line
from models.frozen import Frozen

MOST_RULINGS = 20
_HALL: tuple[type[Entry], ...] = (JudgeCalled, CallWithdrawn, ResultTold)
_READ: tuple[type[Entry], ...] = (*CLOCK_ENTRIES, *_HALL, RoundBegun)
_CLASSES: dict[str, type[Entry]] = {cls.model_fields["type"].default: cls for cls in _READ}
_DECISIONS = {"accepted": "Accepted", "overruled": "Overruled", "rolled": "Let them roll"}


class TableRuling(Frozen):
    """A ruling that was made at the table, in words."""

    line: int
    at_s: float
    said: str
    about: str
    reason: str
    is_withdrawn: bool = False


class Cell(Frozen):
    """A table at a line of its journal."""

    line: int = 0
    at_s: float | None = Field(None, description="when its newest line was written, by the table's clock")
    ahead_s: float | None = Field(None, description="the table's clock minus the hub's, as lines tell it")
    clocks: Clocks | None = None
    settled: int = Field(0, description="how often the table came to rest")
    judge_code: str | None = Field(None, description="opens the table's judge's page; for judges only")
    players_code: str | None = Field(None, description="opens a player's seat at the table; for its card only")
    rulings: tuple[TableRuling, ...] = ()
    round: int | None = Field(None, description="the round that is played here, as the table knows it")
    players: dict[Player, str] = {}

    def with_line(self, text: str, *, ahead_s: float | None = None) -> "Cell":
        """The cell after this line. A line that this hub cannot read changes nothing but its number and time.

        `ahead_s` is when the line was written by the table's clock minus when it came by the hub's: at most what that
        clock is ahead, for a line may have waited.
        """
        raw = json.loads(text)
        entry: dict[str, Any] = raw["entry"]
        changes: dict[str, Any] = {"line": raw["n"], "at_s": raw["at_s"]}
        if ahead_s is not None:
            changes["ahead_s"] = ahead_s if self.ahead_s is None else max(self.ahead_s, ahead_s)
        with suppress(ValidationError, KeyError, TypeError):  # of a newer table
            changes |= self._read_entry(str(entry["type"]), entry, text)
        return Cell.model_validate(self.__dict__ | changes)

    def _read_entry(self, kind: str, entry: dict[str, Any], text: str) -> dict[str, Any]:
        cls = _CLASSES.get(kind)
        if cls is not None and cls in CLOCK_ENTRIES:
            return {"clocks": apply_line(self.clocks, parse_line(text.encode(), cls))}
        match kind:
            case "settled":
                return {"settled": self.settled + 1}
            case "codes-made":
                opens = {"judge": "judge_code", "players": "players_code"}
                return {opens[door]: str(code) for door, code in entry["codes"].items() if door in opens}
            case "round-begun":
                begun = parse_line(text.encode(), RoundBegun).entry
                return {"round": begun.round, "players": begun.players} if isinstance(begun, RoundBegun) else {}
            case "ruled":
                return {"rulings": (*self.rulings, _read_ruling(text))[-MOST_RULINGS:]}
            case "ruling-withdrawn":
                gone = entry["ruling"]
                return {
                    "rulings": tuple(_withdraw(ruling) if ruling.line == gone else ruling for ruling in self.rulings)
                }
        return {}


def kind_of(text: str) -> str:
    """The type of the entry on this line; empty where it tells none."""
    try:
        return str(json.loads(text)["entry"]["type"])[:40]
    except (ValueError, KeyError, TypeError):
        return ""


def read_hall_entry(text: str) -> JudgeCalled | CallWithdrawn | ResultTold | None:
    """The call or the result on this line; None on every other line."""
    cls = _CLASSES.get(json.loads(text)["entry"].get("type"))
    if cls not in _HALL:
        return None
    try:
        entry = parse_line(text.encode(), cls).entry
    except ValidationError:
        return None
    return entry if isinstance(entry, JudgeCalled | CallWithdrawn | ResultTold) else None


def _read_ruling(text: str) -> TableRuling:
    raw = json.loads(text)
    entry = raw["entry"]
    word = _DECISIONS.get(entry["decision"], str(entry["decision"]))
    said = f"{word}: {entry['stands']}" if entry.get("stands") else word
    about = str(entry["line"]["title"])
    return TableRuling(line=raw["n"], at_s=raw["at_s"], said=said, about=about, reason=str(entry["reason"]))


def _withdraw(ruling: TableRuling) -> TableRuling:
    return TableRuling.model_validate(ruling.__dict__ | {"is_withdrawn": True})
