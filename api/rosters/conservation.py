"""Conservation: a price or a frame is no unit; every line is accounted for, and what is left over is asked about."""

import re
from collections.abc import Collection, Sequence

from models.roster import RosterQuestion

MOST_IN_A_LINE = 200  # a count; no unit that is played has as many
LEAST_UNDERSTOOD = 0.9
_SHOWN = 5
_NUMBER = r"\d[\d.,'’ ]*"
_WORD = r"(?:pts?|points?|punkte?|pkte?|pkt|puntos?|punti|punkty|punktów|ptos?|pc|pv|gold|gp)\b\.?"
PRICE = rf"[\[(]\s*{_NUMBER}(?:{_WORD})?\s*[\])]"
"""Brackets with a number in them, as `(1,995 Points)`, `[120pts]` and `(90)`."""
_BARE_PRICE = re.compile(rf"(?i)(?:\b(?:pc|points?|pts|cost)\s*:\s*\d+|(?:^|[\s\[(@])[+-]?{_NUMBER}{_WORD})")
_FRAME = re.compile(
    r"""(?ix) ^\W* (?:
        (?:(?:sub|grand\s|army\s)?totals?|gesamt|somme|totale|razem|suma)\b (?:.*\d.*|\W*)
        | (?:points?|pts|punkte|puntos|punti|punkty|pkt|pc)\b [\s:=/\d.,'-]*
        | (?:generated|build\ id|theme|drops|casting\ pool|exported|created\ (?:with|by|in)|app(?:\ version)?
           |data\ version|version|valid|faction|army\ name|player|event|grand\ alliance|game|detachment) \s*: .*
        | (?:exported|created)\ (?:with|by|from|in)\b .*
        | (?:https?://|www\.)\S* | \W*
    ) $"""
)


def has_price(text: str) -> bool:
    """Whether points stand in it: then its number is neither a count nor a size."""
    return _BARE_PRICE.search(text) is not None or re.search(rf"(?i){PRICE}", text) is not None


def price_of(text: str) -> int | None:
    """The points in brackets; None where there are none or no whole number."""
    digits = re.sub(r"\D", "", re.sub(r"[.,]\d{1,2}\D*$", "", text))
    return int(digits) if digits and len(digits) < 7 else None


def is_frame(line: str) -> bool:
    """A total, a header, a footer, a link, a rule across the page: no unit, whatever else the line holds."""
    return _FRAME.match(line.strip()) is not None


def ask_about_lines(doubtful: Collection[str], lines: int, *, hint: str) -> tuple[RosterQuestion, ...]:
    """One question where less than nine in ten lines were understood; it names the first that were not."""
    understood = 1 - len(doubtful) / max(1, lines)
    if understood >= LEAST_UNDERSTOOD:
        return ()
    shown = "; ".join(f"“{line.strip()[:60]}”" for line in list(doubtful)[:_SHOWN])
    more = f", and {len(doubtful) - _SHOWN} more" if len(doubtful) > _SHOWN else ""
    says = (
        f"{100 * understood:.0f} % of {lines} lines are understood. These are not: {shown}{more}. Mend them, or {hint}."
    )
    return (RosterQuestion(where="list", asks="lines", says=says),)


def ask_about_points(totals: Sequence[int], sums: Sequence[int]) -> tuple[RosterQuestion, ...]:
    """One question where the units cost neither of these sums together; none where the list says no total."""
    if not totals or (len(set(totals)) == 1 and totals[0] in sums):
        return ()
    said = " and ".join(map(str, dict.fromkeys(totals)))
    says = f"The list says {said} points, and its units add up to {sums[0]}: is it whole?"
    return (RosterQuestion(where="list", asks="points", says=says),)
