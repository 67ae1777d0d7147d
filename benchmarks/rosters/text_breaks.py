"""Text breaks: ten ways in which a pasted list reaches a program cut, doubled or respelt."""

import random
from collections.abc import Callable
from dataclasses import replace

from benchmarks.rosters.written_texts import Text


def _lines(text: Text, change: Callable[[str], str]) -> Text:
    return replace(text, raw="\n".join(change(line) for line in str(text).split("\n")))


def cut_lines(text: Text, dice: random.Random) -> Text:
    lines = str(text).split("\n")
    return replace(text, raw="\n".join(lines[: dice.randrange(len(lines) // 2, len(lines))]))


def cut_letters(text: Text, dice: random.Random) -> Text:
    whole = str(text)
    return replace(text, raw=whole[: dice.randrange(len(whole) // 2, len(whole))])


def double(text: Text, _: random.Random) -> Text:
    return replace(text, raw=f"{text}\n{text}")


def mix_languages(text: Text, dice: random.Random) -> Text:
    words = ("Punkte", "PTS", "puntos", "punti", "Pts", "pkt")
    return _lines(text, lambda line: line if "/" in line else _swap(line, dice.choice(words)))


def _swap(line: str, word: str) -> str:
    for old in (" points", " pts"):
        line = line.replace(f"{old})", f" {word})").replace(f"{old}]", f" {word}]")
    return line


def reorder(text: Text, dice: random.Random) -> Text:
    return replace(text, blocks=tuple(dice.sample(text.blocks, len(text.blocks))))


def respace(text: Text, dice: random.Random) -> Text:
    spaces = ("\u00a0", "\u202f", "  ", " ", "\u2009")
    return _lines(
        text,
        lambda line: "".join(dice.choice(spaces) if ch == " " else ch for ch in line) + dice.choice(("", " ", "\t")),
    )


def capitals(text: Text, _: random.Random) -> Text:
    return _lines(text, str.upper)


def drop_blanks(text: Text, _: random.Random) -> Text:
    return replace(text, raw="\n".join(line for line in str(text).split("\n") if line.strip()))


def add_chatter(text: Text, dice: random.Random) -> Text:
    lines = str(text).split("\n")
    for says in ("see you at 10!", "lol 3 of them", "ok?"):
        lines.insert(dice.randrange(len(lines) + 1), says)
    return replace(text, raw="\n".join(lines))


def swap_line_ends(text: Text, _: random.Random) -> Text:
    return replace(text, raw="\ufeff" + str(text).replace("\n", "\r\n"))


BREAKS: dict[str, Callable[[Text, random.Random], Text]] = {
    "cut at a line": cut_lines, "cut in a line": cut_letters, "doubled": double, "mixed languages": mix_languages,
    "reordered": reorder, "other spaces": respace, "capitals": capitals, "no blank lines": drop_blanks,
    "chatter": add_chatter,
    "line ends": swap_line_ends,
}  # fmt: skip
