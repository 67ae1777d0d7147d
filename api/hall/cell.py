"""Cell: what a table's lines say of it from afar, folded line by line. Knows no clock of its own."""

from typing import Any

from pydantic import Field

from api.clocks.entries import CLOCK_ENTRIES, Clocks, Player, apply_line
from api.hall.inbound_line import REASONS, InboundLine, storable
from api.hall.rounds import RoundBegun
from models.frozen import Frozen

MOST_RULINGS = 20
MOST_QUARANTINED = 20
_MOST_SHOWN_CHARS = 300
_MOST_CODE_CHARS = 40
_DECISIONS = {"accepted": "Accepted", "overruled": "Overruled", "rolled": "Let them roll"}
# What an entry of any form can make of reading it; a hub that stops for one table's line stops for every table.
UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class TableRuling(Frozen):
    """A ruling that was made at the table, in words."""

    line: int
    at_s: float
    said: str
    about: str
    reason: str
    is_withdrawn: bool = False


class QuarantinedLine(Frozen):
    """A line that the hub keeps and does not read, with how it begins."""

    line: int
    reason: str
    text: str
    taken_s: float = Field(description="when it came, by the hub's clock")

    @property
    def says(self) -> str:
        return f"line {self.line} {self.reason}"


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
    quarantined: tuple[QuarantinedLine, ...] = Field((), description="the newest of them")

    def with_line(self, line: InboundLine, *, now_s: float, ahead_s: float | None = None) -> "Cell":
        """The cell after this line, whatever it is. One that is quarantined changes nothing but the line's number.

        `ahead_s` is when the line was written by the table's clock minus when it came by the hub's: at most what that
        clock is ahead, for a line may have waited.
        """
        if line.fault is not None:
            return self._quarantine(line, line.fault, now_s)
        changes: dict[str, Any] = {"line": line.n, "at_s": line.at_s}
        if ahead_s is not None:
            changes["ahead_s"] = ahead_s if self.ahead_s is None else max(self.ahead_s, ahead_s)
        try:
            return Cell.model_validate(self.__dict__ | changes | self._read_entry(line))
        except UNREADABLE:
            return self._quarantine(line, "entry", now_s)

    def _quarantine(self, line: InboundLine, fault: str, now_s: float) -> "Cell":
        text = storable(line.text, most=_MOST_SHOWN_CHARS)
        aside = QuarantinedLine(line=line.n, reason=REASONS.get(fault, fault), text=text, taken_s=now_s)
        kept = (*self.quarantined, aside)[-MOST_QUARANTINED:]
        return Cell.model_validate(self.__dict__ | {"line": line.n, "quarantined": kept})

    def _read_entry(self, line: InboundLine) -> dict[str, Any]:
        parsed, entry = line.parsed, line.entry or {}
        if parsed is not None and isinstance(parsed.entry, CLOCK_ENTRIES):
            return {"clocks": apply_line(self.clocks, parsed)}
        if parsed is not None and isinstance(parsed.entry, RoundBegun):
            return {"round": parsed.entry.round, "players": parsed.entry.players}
        match line.kind:
            case "settled":
                return {"settled": self.settled + 1}
            case "codes-made":
                opens = {"judge": "judge_code", "players": "players_code"}
                return {opens[door]: _read_code(code) for door, code in entry["codes"].items() if door in opens}
            case "ruled":
                return {"rulings": (*self.rulings, _read_ruling(line))[-MOST_RULINGS:]}
            case "ruling-withdrawn":
                gone = entry["ruling"]
                return {
                    "rulings": tuple(_withdraw(ruling) if ruling.line == gone else ruling for ruling in self.rulings)
                }
        return {}


def _read_code(code: Any) -> str:
    if not isinstance(code, str) or len(code) > _MOST_CODE_CHARS:
        raise ValueError("this is no code")
    return code


def _read_ruling(line: InboundLine) -> TableRuling:
    entry = line.entry or {}
    word = _DECISIONS.get(entry["decision"], str(entry["decision"]))
    said = f"{word}: {entry['stands']}" if entry.get("stands") else word
    said, about, reason = (
        text[:_MOST_SHOWN_CHARS] for text in (said, str(entry["line"]["title"]), str(entry["reason"]))
    )
    return TableRuling(line=line.n, at_s=line.at_s, said=said, about=about, reason=reason)


def _withdraw(ruling: TableRuling) -> TableRuling:
    return TableRuling.model_validate(ruling.__dict__ | {"is_withdrawn": True})
