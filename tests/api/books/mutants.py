"""Mutated books: files of the shelf with letters, lines and words changed at random, read and tried."""

import random
from collections.abc import Iterator
from time import process_time

from api.books.book_file import parse_book
from api.books.check import run_tests
from api.books.examples import SHELF
from api.errors import BadBook

_LETTERS = "abxyz()<=>+-*/,.\"'[]{}#0159 D%_\u00e4\n"
_WORDS = (
    *(
        "and",
        "or",
        "not",
        "if",
        "then",
        "else",
        "for",
        "in",
        "where",
        "by",
        "count",
        "enemies",
        "a",
        "tee",
        "2D6",
        "min(",
    ),
    *("999999", "1e9", "99D100", "))))", "distance(a, b)", "sum(x for x in miniatures)"),
)


def mutate(text: str, chance: random.Random) -> str:
    """The text with a few changes, mostly within its rules."""
    lines = text.split("\n")
    rules = [k for k, line in enumerate(lines) if "'" in line]
    for _ in range(chance.randint(1, 3)):
        k = chance.choice(rules) if chance.random() < 0.7 else chance.randrange(len(lines))
        at = chance.randint(0, len(lines[k]))
        what = chance.random()
        if what < 0.4:
            lines[k] = lines[k][:at] + chance.choice(_LETTERS) + lines[k][at + chance.randint(0, 2) :]
        elif what < 0.8:
            lines[k] = f"{lines[k][:at]} {chance.choice(_WORDS)} {lines[k][at + chance.randint(0, 6) :]}"
        elif what < 0.9:
            lines[k] = lines[chance.randrange(len(lines))]
        else:
            lines[k] = lines[k].replace("'", f"'{'(' * 200}", 1) if chance.random() < 0.3 else lines[k][:at]
    return "\n".join(lines)


def faults(seeds: range, *, most_s: float = 20.0) -> Iterator[str]:
    """What is wrong with how mutants are read: another error than one with its line, or too long at it."""
    texts = [path.read_text(encoding="utf-8") for path in SHELF.values()]
    for seed in seeds:
        chance = random.Random(seed)
        raw = mutate(chance.choice(texts), chance).encode()
        begun = process_time()
        try:
            for _ in zip(range(2), run_tests(parse_book(raw, name="mutant.toml")), strict=False):
                pass
        except BadBook as refused:
            if not isinstance(refused.facts["line"], int) or len(str(refused.problem())) > 2000:
                yield f"seed {seed}: no line, or a long problem: {str(refused.problem())[:200]}"
        except Exception as other:
            yield f"seed {seed}: {type(other).__name__}: {str(other)[:200]}"
        if (spent_s := process_time() - begun) > most_s:
            yield f"seed {seed}: {spent_s:.1f} s"
