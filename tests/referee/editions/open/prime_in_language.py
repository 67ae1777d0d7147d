"""Prime's distances, arcs and sight written in the language of books, beside the coded book on random tables."""

import random
from collections.abc import Iterator
from typing import Any

from models.parsing import parse_query
from models.state import TableState
from models.verdict import Answer
from models.written_book import BookInPlay, WrittenBook
from referee import ask

RULES = {
    "near": "gap(a, b) <= 6",
    "completely": "farthest(a, b) <= 6",
    "front": "in_arc(a, b, 180)",
    "back": "not in_arc(a, b, 180)",
    "contact": "touches(a, b)",
    "sight": "sees(a, b)",
}
QUERIES: dict[str, dict[str, Any]] = {
    "near": {"kind": "within", "a": "m0", "b": "m1", "range_in": 6},
    "completely": {"kind": "completely-within", "a": "m0", "b": "m1", "range_in": 6},
    "front": {"kind": "in-front-arc", "viewer": "m0", "target": "m1"},
    "back": {"kind": "in-back-arc", "viewer": "m0", "target": "m1"},
    "contact": {"kind": "b2b", "a": "m0", "b": "m1"},
    "sight": {"kind": "los", "viewer": "m0", "target": "m1"},
}
_SETTINGS: dict[str, str | float] = {"open-figures": "block", "open-sight-front": "front"}
BOOK = BookInPlay(
    sha256="0" * 64,
    rules=WrittenBook(name="Prime in the language", version="1", rules={**RULES}, settings=_SETTINGS),
)
_BASE_MM, _SAME_MM, _DRAWN = 30, 1e-6, 0.02


def random_table(seed: int) -> TableState:
    """Three to six bases of one size, none on another, up to two obstructions, some of it in doubt."""
    chance = random.Random(seed)
    miniatures: list[dict[str, Any]] = []
    for k in range(chance.randint(3, 6)):
        at = _free_place(chance, [m["at_mm"] for m in miniatures])
        sigma = {"at_mm": chance.choice((0.0, 0.5, 1.0)), "facing_deg": chance.choice((0, 1))}
        base = {"shape": "round", "diameter_mm": _BASE_MM}
        facing = chance.uniform(0, 360)
        miniatures.append(
            {"id": f"m{k}", "side": "red", "base": base, "at_mm": at, "facing_deg": facing, "sigma": sigma}
        )
    terrain = [_obstruction(chance, k) for k in range(chance.randint(0, 2))]
    size = {"width_mm": 1219, "depth_mm": 1219}
    return TableState.model_validate(
        {"edition": "warmachine-prime", "table": size, "miniatures": miniatures, "terrain": terrain}
    )


def _free_place(chance: random.Random, taken: list[tuple[float, float]]) -> tuple[float, float]:
    while True:
        x, y = chance.uniform(300, 600), chance.uniform(300, 600)
        if all((x - u) ** 2 + (y - v) ** 2 > _BASE_MM**2 for u, v in taken):
            return x, y


def _obstruction(chance: random.Random, k: int) -> dict[str, Any]:
    x, y, w, d = chance.uniform(350, 550), chance.uniform(350, 550), chance.uniform(10, 40), chance.uniform(10, 60)
    corners = [[x - w, y - d], [x + w, y - d], [x + w, y + d], [x - w, y + d]]
    return {"id": f"t{k}", "kind": "obstruction", "polygon_mm": corners, "height_mm": 200}


def differences(seed: int) -> Iterator[str]:
    """Where the language and the coded book differ on one table: in answer, margin or probability.

    Probabilities are drawn, and may differ by two in a hundred. Of a target that is neither in the arc nor seen, Prime
    tells the margin of the arc, and the language that of the worse of both.
    """
    coded, written = random_table(seed), random_table(seed).in_edition("open", BOOK)
    for rule, query in QUERIES.items():
        a = ask(coded, parse_query(query))
        b = ask(written, parse_query({"kind": "rule", "rule": rule, "a": "m0", "b": "m1"}))
        is_unlike = a.answer != b.answer and Answer.TOO_CLOSE not in (a.answer, b.answer)
        farther = (a.margin_mm or 0.0) - (b.margin_mm or 0.0)
        is_worse_of_both = rule == "sight" and a.answer == b.answer == Answer.NO and farther > 0
        is_doubted_otherwise = abs((a.probability or 0.0) - (b.probability or 0.0)) > _DRAWN
        if is_unlike or is_doubted_otherwise or (abs(farther) > _SAME_MM and not is_worse_of_both):
            in_language = f"{b.answer} {b.margin_mm} {b.probability}"
            yield f"{rule}: {a.answer} {a.margin_mm} {a.probability}, in the language {in_language}"
