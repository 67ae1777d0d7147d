"""Conservation: a price or a frame is no unit; every line is accounted for, and what is left over is asked about."""

import re
from collections.abc import Sequence

from models.roster import LineKind, Remark, RosterLine, RosterQuestion

MOST_IN_A_LINE = 200  # a count; no unit that is played has as many
LEAST_UNDERSTOOD = 0.9
_SHOWN = 5
_LEAST_REPEATED = 4  # lines; a short list may name the same twice
_NUMBER = r"\d[\d.,'’ ]*"
POINTS_WORD = r"(?:pts?|points?|punkte?|pkte?|pkt|puntos?|punti|punkty|punktów|ptos?|pc|pv|gold|gp)(?!\w)\.?"
MODELS_WORD = r"(?:models?|modelle?|modelos?|modelli|modeli|modèles?|miniatures?|figuren?|figurines?|minis?)(?!\w)"
PRICE = rf"[\[(]\s*{_NUMBER}(?:{POINTS_WORD})?\s*[\])]"
"""Brackets with a number in them, as `(1,995 Points)`, `[120pts]` and `(90)`."""
_BARE_PRICE = re.compile(rf"(?i)(?:\b(?:pc|points?|pts|cost)\s*:\s*\d+|(?:^|[\s\[(@])[+-]?{_NUMBER}{POINTS_WORD})")
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


def is_name(text: str) -> bool:
    """Whether a unit may be called so: it has a letter, and is no price, no total and no heading of either."""
    return any(ch.isalpha() for ch in text) and not is_frame(text) and not has_price(text)


def is_frame(line: str) -> bool:
    """A total, a header, a footer, a link, a rule across the page: no unit, whatever else the line holds."""
    return _FRAME.match(line.strip()) is not None


class LineLedger:
    """What each line of a text was read as, once; a line that nothing accounts for is not understood."""

    def __init__(self, text: str) -> None:
        self.texts = text.splitlines()
        self._kinds: dict[int, LineKind] = {}
        self._whys: dict[int, tuple[str, str]] = {}
        self._doubtful: set[int] = set()

    def doubt(self, index: int) -> None:
        """Say that a line was read as a unit by no known layout."""
        self._doubtful.add(index)

    def enter(self, index: int, kind: LineKind, *, where: str = "list", why: str = "no line of a known kind") -> None:
        """Say what a line is; a line that is not understood keeps where it stands and why."""
        self._kinds[index] = kind
        if kind == "unread":
            self._whys[index] = where, why

    def kind(self, index: int) -> LineKind:
        return self._kinds.get(index, "unread")

    def lines(self) -> tuple[RosterLine, ...]:
        """Each line that is not blank, in order."""
        return tuple(
            RosterLine(
                number=index + 1, text=text.strip()[:200], kind=self.kind(index), is_doubtful=index in self._doubtful
            )
            for index, text in enumerate(self.texts)
            if text.strip()
        )

    def remarks(self) -> tuple[Remark, ...]:
        """The lines that are not understood, and why."""
        lines = (line for line in self.lines() if line.kind == "unread")
        whys = ((line, *self._whys.get(line.number - 1, ("list", "no line of a known kind"))) for line in lines)
        return tuple(Remark(where=where, text=line.text[:120], why=why) for line, where, why in whys)

    def questions(self, *, hint: str = "export the list again") -> tuple[RosterQuestion, ...]:
        """One question where less than nine in ten lines are understood; it names the first that are not."""
        lines = self.lines()
        if is_repeated([line.text for line in lines]):
            says = "The text holds all of its lines twice: paste it once."
            return (RosterQuestion(where="list", asks="lines", says=says),)
        unread = [line.text for line in lines if line.kind == "unread"]
        understood = 1 - len(unread) / max(1, len(lines))
        if understood >= LEAST_UNDERSTOOD:
            return ()
        return (RosterQuestion(where="list", asks="lines", says=_say_unread(unread, understood, hint)),)


def is_repeated(lines: Sequence[str]) -> bool:
    """Whether the second half of a text is its first half over again."""
    half = len(lines) // 2
    return half >= _LEAST_REPEATED and len(lines) % 2 == 0 and list(lines[:half]) == list(lines[half:])


def _say_unread(unread: Sequence[str], understood: float, hint: str) -> str:
    shown = "; ".join(f"“{line[:60]}”" for line in unread[:_SHOWN])
    more = f", and {len(unread) - _SHOWN} more" if len(unread) > _SHOWN else ""
    says = f"Understood {100 * understood:.0f} %: these lines are not: {shown}{more}."
    return f"{says} Mend them, or {hint}."


def ask_about_points(
    totals: Sequence[int], sums: Sequence[int], *, is_total_printed: bool = False
) -> tuple[RosterQuestion, ...]:
    """One question where the units cost neither of these sums together, or a total is missing that is always there."""
    if len(set(totals)) == 1 and totals[0] in sums:
        return ()
    if not totals:
        says = f"The text has no total, and its units add up to {sums[0]} points: is it whole?"
        return (RosterQuestion(where="list", asks="points", says=says),) if is_total_printed else ()
    said = " and ".join(map(str, dict.fromkeys(totals)))
    says = f"The list says {said} points, and its units add up to {sums[0]}: is it whole?"
    return (RosterQuestion(where="list", asks="points", says=says),)
