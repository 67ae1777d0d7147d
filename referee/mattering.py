"""Which house rules mattered: those under whose other readings something else would have been found."""

from dataclasses import replace

from pydantic import JsonValue

from referee.ruling import Ruling
from referee.situation import Situation

EDGE_MM = 1e-6  # a margin smaller than this is exactly zero: what is left is rounding
Others = tuple[tuple[str, str, Situation, Ruling], ...]  # house rule, other reading, the table under it, its ruling


def mattering(situation: Situation, ruling: Ruling, others: Others) -> dict[str, str]:
    """The house rules in force under whose other readings something else would have been found."""
    mine = snapped(ruling)
    found = [key for key, _, _, other in others if _differ(mine, other, in_full=key in ruling.retold)]
    return {key: situation.reading(key) for key in dict.fromkeys((*found, *ruling.mattering))}


def _differ(ruling: Ruling, other: Ruling, *, in_full: bool) -> bool:
    """Whether something else was found; in full, also where only what is told besides the margin is another."""
    if _finding(ruling) != _finding(other):
        return True
    return in_full and (_spelt(ruling.value), _ids(ruling)) != (_spelt(other.value), _ids(other))


def _spelt(value: JsonValue | dict[str, JsonValue]) -> JsonValue:
    """What is told, but for the margins of clauses: by how much one holds that decides nothing is no finding."""
    if isinstance(value, dict):
        return {k: _spelt(v) for k, v in value.items() if k != "margin_mm" or "clause" not in value}
    return [_spelt(v) for v in value] if isinstance(value, list) else value


def _ids(ruling: Ruling) -> list[str]:
    return sorted(c.id for c in ruling.members)


def in_doubt(ruling: Ruling) -> tuple[str, ...]:
    """The house rules that might change what is found of it, or of a member of a list."""
    of_members = (c.ruling.doubtful for c in ruling.members if c.ruling is not None)
    more = () if ruling.status == "decided" else (key for keys in of_members for key in keys)
    return tuple(dict.fromkeys((*ruling.doubtful, *ruling.retold, *more)))


def _finding(ruling: Ruling) -> tuple[object, ...]:
    """What tells one ruling from another: the margin where one decides and what goes with it, else all that is told."""
    if ruling.status == "decided":
        met = ruling.zero_is_met or ruling.decisive_mm != 0
        return ruling.status, round(ruling.decisive_mm, 6), met, ruling.tells
    members = [(c.id, None if c.ruling is None else _finding(c.ruling)) for c in ruling.members]
    return ruling.status, ruling.value, members


def snapped(ruling: Ruling) -> Ruling:
    """The same ruling, rounding dust at the threshold swept to exactly zero."""
    margin = ruling.margin_mm
    slack = ruling.slack_mm
    if margin is not None and abs(margin) < EDGE_MM:
        ruling = replace(ruling, margin_mm=0.0)
    return replace(ruling, slack_mm=0.0) if slack is not None and abs(slack) < EDGE_MM else ruling
