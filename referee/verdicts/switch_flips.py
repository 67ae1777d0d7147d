"""Switch flips: the conditions that a measuring error may turn, and what is found beyond each, in words and lines."""

import math
from collections import Counter
from collections.abc import Sequence

from pydantic import JsonValue

from models.verdict import Answer, Outcome, SwitchFlip
from referee.rules.candidates import answer_word
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import name_of
from referee.rules.rule_result import RuleResult
from referee.uncertainty.open_switches import Cell, OpenSwitch
from referee.uncertainty.probability import round_value

_LEAST_SHARE = 0.01  # of an outcome that is told


def margin_to_flip(margin: float | None, switches: Sequence[OpenSwitch]) -> float | None:
    """How far the nearest flip is: that of the margin, or of a switch that changes the answer; its sign stays."""
    if margin is None:
        return None
    flips = [abs(open_switch.switch.margin) for open_switch in switches if _flips_answer(open_switch, margin)]
    return math.copysign(min([abs(margin), *flips]), margin)


def describe_flips(table: ExactTable, result: RuleResult, switches: Sequence[OpenSwitch]) -> tuple[SwitchFlip, ...]:
    """The switches that may turn, the likeliest first."""
    order = sorted(switches, key=lambda open_switch: abs(open_switch.switch.margin) / open_switch.sigma)
    return tuple(_describe(table, result, open_switch) for open_switch in order)


def _describe(table: ExactTable, result: RuleResult, open_switch: OpenSwitch) -> SwitchFlip:
    beyond = open_switch.beyond
    word = None if beyond is None else answer_word(beyond)
    return SwitchFlip(
        whether=_in_words(table, open_switch),
        margin_mm=round_value(open_switch.switch.margin) or 0.0,
        sigma_mm=round_value(open_switch.sigma) or 0.0,
        probability=round_value(open_switch.turning_probability()) or 0.0,
        answer=None if word is None else Answer(word),
        value={} if beyond is None else _changed(beyond.value, result.value),
        witness=() if beyond is None else beyond.witness,
    )


def _in_words(table: ExactTable, open_switch: OpenSwitch) -> str:
    names = list(
        dict.fromkeys(_as_whole(table, id_, open_switch.switch.turning) for id_ in open_switch.switch.on or ("it",))
    )
    whom = name_of(table, names[1]) if len(names) > 1 else ""
    return f"whether {name_of(table, names[0])} {open_switch.switch.clause} {whom}".rstrip()


def _as_whole(table: ExactTable, id_: str, units: tuple[str, ...]) -> str:
    """The unit of a miniature, where the switch hangs on the heading of all of it."""
    unit = table.miniatures[id_].unit if id_ in table.miniatures else None
    return unit if unit is not None and unit in units else id_


def list_outcomes(cells: Sequence[Cell]) -> tuple[Outcome, ...]:
    """The values that differ between cells, each with its probability, the likeliest first."""
    shares: Counter[str] = Counter()
    values: dict[str, dict[str, JsonValue]] = {}
    keys = _differing_keys([cell.result.value for cell in cells if cell.result is not None])
    for cell in cells:
        if cell.result is None:
            continue
        value = {key: cell.result.value.get(key) for key in keys}
        same = repr(_drop_lengths(value))  # but for lengths, which differ from cell to cell
        shares[same] += cell.share  # type: ignore[assignment]
        values.setdefault(same, value)
    likely = [(share, values[key]) for key, share in shares.items() if share >= _LEAST_SHARE]
    if not keys or len(likely) < 2:
        return ()
    return tuple(Outcome(probability=round_value(share) or 0.0, value=value)
                 for share, value in sorted(likely, key=lambda pair: -pair[0]))  # fmt: skip


def _differing_keys(values: Sequence[dict[str, JsonValue]]) -> list[str]:
    """The keys of words, counts and ids that are not the same in all."""
    keys = dict.fromkeys(key for value in values for key in value)
    return [
        key
        for key in keys
        if not key.endswith(("_mm", "_deg")) and len({repr(_drop_lengths(value.get(key))) for value in values}) > 1
    ]


def _changed(beyond: dict[str, JsonValue], here: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {key: beyond.get(key) for key in _differing_keys([here, beyond])}


def _drop_lengths(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {k: _drop_lengths(v) for k, v in value.items() if not k.endswith(("_mm", "_deg"))}
    if isinstance(value, list):
        return [_drop_lengths(item) for item in value]
    return None if isinstance(value, float) else value


def _flips_answer(open_switch: OpenSwitch, margin: float) -> bool:
    beyond = open_switch.beyond
    return beyond is None or beyond.status != "decided" or (beyond.decisive_mm > 0) != (margin > 0)
