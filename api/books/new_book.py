"""New book: the questions that begin a rulebook, and the file that their answers make."""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from api.books.book_file import parse_book
from api.errors import BadBook
from models.house_rules import HOUSE_RULES, PRESET_KEY, PRESETS
from models.unit_conversion import MM_PER_INCH

_APART_MM = 100.0
_LENGTH = re.compile(r"\s*([A-Za-z][A-Za-z0-9 -]*?)\s+(\d+(?:\.\d+)?)\s*(?:in)?\s*")


class Question(NamedTuple):
    """What is asked for a key, and what is taken where nothing is said."""

    key: str
    asks: str
    default: str


_FAMILIES = "".join(f"\n  {name}: {HOUSE_RULES[PRESET_KEY].means[name]}" for name in PRESETS)
QUESTIONS = (
    Question("name", "What is the game called?", "My game"),
    Question("family", f"Which family of games is it nearest to?{_FAMILIES}\n ", "plain"),
    Question("base", "How wide is the usual round base, in millimetres?", "32"),
    Question("engage", "Within how many inches do two engage?", "1"),
    Question("together", "Within how many inches do those of a unit keep together?", "2"),
    Question("lengths", "Which lengths do players say aloud, in inches?", "walk 6, shot 24"),
    Question("charge", "How far does a charge go, as walk + 2D6? none: there is no charge", "2D6"),
)
DEFAULTS = {question.key: question.default for question in QUESTIONS}


def find_fault(answers: Mapping[str, str]) -> str | None:
    """What is wrong with the book that these answers make; None where it can be read."""
    try:
        parse_book(write_book(answers).encode(), name="new.toml")
    except BadBook as wrong:
        return wrong.detail.split(": ", 3)[-1]
    except ValueError as wrong:
        return str(wrong)
    return None


def write_book(answers: Mapping[str, str]) -> str:
    """The file: settings, ranges, a charge, a sheet, and a table with the first two tests. Raises: ValueError."""
    full = DEFAULTS | {**answers}
    base, engage, together = (float(full[key]) for key in ("base", "engage", "together"))
    lengths, charge = _read_lengths(full["lengths"]), full["charge"].strip()
    is_middle = PRESETS.get(full["family"], {}).get("open-measure") == "centre"
    apart_mm = _APART_MM + (base if is_middle else 0.0)
    spare_mm = round(engage * MM_PER_INCH - apart_mm, 2)
    rule = f"sees(a, b) and free_way(a, b) and way(a, b) <= {charge}"
    has_charge = charge not in ("", "none")
    return _FILE.format(
        name=json.dumps(full["name"], ensure_ascii=False), family=json.dumps(full["family"]),
        base=f'{{ shape = "round", diameter_mm = {base:g} }}', engage=engage, together=together,
        at=300 + base + _APART_MM, apart=apart_mm, margin=spare_mm,
        ranges="".join(f"{name} = {length:g}\n" for name, length in lengths.items()),
        rules=f"\n[rules]\ncharge = '{rule}'\n" if has_charge else "",
        reaches="".join(_SHEET_LENGTH.format(name=name, title=name.replace("-", " ")) for name in lengths),
        charge=_SHEET_CHARGE if has_charge else "", answer="yes" if spare_mm >= 0 else "no",
    )  # fmt: skip


def _read_lengths(text: str) -> dict[str, float]:
    """Lengths by name of `walk 6, long shot 24`. Raises: ValueError."""
    lengths = {}
    for part in filter(str.strip, text.split(",")):
        if (written := _LENGTH.fullmatch(part)) is None:
            raise ValueError(f"{part.strip()!r} is no name with its inches, as walk 6")
        lengths["-".join(written[1].lower().split())] = float(written[2])
    return lengths


_SHEET_LENGTH = """
[[sheet]]
ask = "within"
range = "{name}"
title = "B within A's {title}"
"""
_SHEET_CHARGE = """
[[sheet]]
ask = "rule"
rule = "charge"
title = "A charges B"
yes = "Gets there"
no = "Falls short"
both = true
friends = false
"""
_FILE = """\
# How to go on: docs/editions/writing-one.md; every function of a rule: docs/editions/language.md.

format = 1
name = {name}
version = "0.1"
preset = {family}
bases = [{base}]

[settings]
open-engage-in = {engage:g}
open-coherency-in = {together:g}

[ranges]
{ranges}{rules}
[[sheet]]
ask = "los"
title = "A sees B"
both = true

[[sheet]]
ask = "distance"
title = "Distance"

[[sheet]]
ask = "engaged"
title = "A and B are engaged"
friends = false

[[sheet]]
ask = "cover"
title = "B has cover from A"
both = true
{reaches}{charge}
# Places are millimetres from the near left corner. Work the right answers out by hand.

[tables.first]
table = {{ width_mm = 1200, depth_mm = 900 }}
miniatures = [
  {{ id = "a", side = "red", base = {base}, at_mm = [300, 300], facing_deg = 0 }},
  {{ id = "b", side = "blue", base = {base}, at_mm = [{at:g}, 300], facing_deg = 180 }},
]

[[tests]]
name = "100 mm from rim to rim"
table = "first"
question = {{ kind = "distance", a = "a", b = "b" }}
length_mm = {apart:g}

[[tests]]
name = "what engages, less how far they are apart"
table = "first"
question = {{ kind = "engaged", attacker = "a", target = "b" }}
answer = "{answer}"
margin_mm = {margin:g}
"""
