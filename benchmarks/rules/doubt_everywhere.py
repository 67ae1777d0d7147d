"""Doubt everywhere: stated probabilities beside redrawn tables, within two sigmas of every clause of every kind.

    python -m benchmarks.rules.doubt_everywhere [--tables 60] [--draws 200] [--seconds 600] [--kinds los,charge]
        [--editions ...] [--clauses 2] [--done FILE] [--page docs/doubt.md]

Tables come from the worked scenarios of each book. One exact run traces every comparison that the rule makes; a table
is then moved until a chosen one, or the margin itself, lies within two sigmas of its threshold, or until two do at once
(`--clauses 2`), and measured with sigmas of 0.2 to 0.5 mm and a degree; a ranked unit as one piece, which moves, turns
and is moved as such. The verdict on it is held against the share of exact states, redrawn from its sigmas, that say
yes. Printed a kind: tables, how many are called sure, the share of those that are wrong, the mean and the largest gap
between stated and true probability; then the calibration curve. A kind ends at its tables, or at the first one after
its seconds of computing. With `--done`, a run that was cut off goes on where it was.
"""

import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import keep_rows, read_rows, run
from benchmarks.rules.redrawn_states import redraw_query, redraw_states
from models.errors import TablesideError
from models.miniature import Miniature
from models.parsing import parse_query
from models.queries import BaseQuery, DirectlyFacing
from models.state import TableState
from models.verdict import Answer, Verdict
from referee import EDITIONS, ask
from referee.rules.candidates import traced
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import FacingUnknown, RuleResult
from referee.rules.sides import members_of_unit, ranked_unit_of
from referee.rules.switches import Switch
from tests.referee.test_rules_covered import BOOKS

_MARGIN = "the margin itself"
_TURN_DEG = 0.2  # of a ranked unit, which is fitted as one piece
_WITHIN_MM, _WITHIN_DEG = 0.1, 0.2  # of each of its members in it
_STEP_MM = 0.25
_MOST_MOVED_MM = 400.0
_TOLERANCE_MM = 0.02
_NEAR_MM = 0.9  # of a threshold: two sigmas of what is measured
_TRIES = 4  # for each table wanted
_DECILES = [k / 10 for k in range(11)]


@dataclass(frozen=True)
class Case:
    """One table at one clause, what was stated, and what is true."""

    edition: str
    kind: str
    clause: str
    answer: str | None
    stated: float
    true: float


@dataclass(frozen=True)
class _Job:
    """One kind of one edition, and when it is enough."""

    edition: str
    kind: str
    tables: int
    draws: int
    seconds: float
    seed: int
    clauses: int


def main(
    tables: int = 60, draws: int = 200, seconds: float = math.inf, kinds: str = "", editions: str = "", seed: int = 1,
    clauses: int = 1, workers: int = 2, done: Path | None = None, page: Path | None = None,
) -> None:  # fmt: skip
    cases = [Case(**row) for row in read_rows(done)]
    known = {(one.edition, one.kind) for one in cases}
    jobs = [
        _Job(edition, kind, tables, draws, seconds, seed, clauses)
        for edition, kind in _kinds()
        if (not kinds or kind in kinds.split(","))
        and (not editions or edition in editions.split(","))
        and (edition, kind) not in known
    ]
    with ProcessPoolExecutor(workers) as pool:
        for job, found in zip(jobs, pool.map(_judge_kind, jobs), strict=True):
            cases += found
            keep_rows(done, map(asdict, found))
            print(f"{job.edition} {job.kind}: {len(found)} tables", flush=True)
    text = "\n".join(_page(cases, draws))
    print(text)
    if page:
        page.write_text(text + "\n")


def _kinds() -> list[tuple[str, str]]:
    pairs = ((book, one.query["kind"]) for book, scenarios in BOOKS.items() for one in scenarios)
    return list(dict.fromkeys(pairs))


def _judge_kind(job: _Job) -> list[Case]:
    r = random.Random(f"{job.edition} {job.kind} {job.seed}")
    return list(islice(_cases(job, r, ends=time.process_time() + job.seconds), job.tables))


def _cases(job: _Job, r: random.Random, *, ends: float) -> Iterator[Case]:
    scenarios = [one for one in BOOKS[job.edition] if one.query["kind"] == job.kind]  # type: ignore[index]
    for _ in range(_TRIES * job.tables):
        if time.process_time() > ends:
            return
        scenario = r.choice(scenarios)
        query = parse_query(scenario.query)
        placed = place_at_a_clause(scenario.state, query, r, clauses=job.clauses)
        if placed is None:
            continue
        state, clause = placed
        case = _judge(state, query, clause, job.draws, r)
        if case is not None:
            yield case


def _judge(state: TableState, query: BaseQuery, clause: str, draws: int, r: random.Random) -> Case | None:
    try:
        verdict = ask(state, query)
        if verdict.status != "decided" or verdict.probability is None:
            return None
        states = redraw_states(_with_tolerance(state, query), draws, seed=r.randrange(1 << 30))
        drawn = [ask(one, redraw_query(query, state, one)) for one in states]
    except TablesideError:
        return None
    met = [_is_met(one) for one in drawn]
    told = [one for one in met if one is not None]
    if len(told) < draws:
        return None
    answer = None if verdict.answer is None else verdict.answer.value
    return Case(state.edition, str(verdict.kind), clause, answer, verdict.probability, sum(told) / draws)


def _with_tolerance(state: TableState, query: BaseQuery) -> TableState:
    """With the tolerance that the rule takes from the sigma of the facing: a redrawn one has none to take it from."""
    if not isinstance(query, DirectlyFacing):
        return state
    viewer = state.by_id[query.viewer]
    assert isinstance(viewer, Miniature)
    allowed = max(state.facing_tolerance_deg, 2 * viewer.sigma.facing_deg)
    return TableState.model_validate(state.model_dump() | {"facing_tolerance_deg": allowed})


def _is_met(verdict: Verdict) -> bool | None:
    return (
        verdict.answer is Answer.YES if verdict.status == "decided" and verdict.answer is not Answer.TOO_CLOSE else None
    )


def place_at_a_clause(
    state: TableState, query: BaseQuery, r: random.Random, *, clauses: int = 1
) -> tuple[TableState, str] | None:
    """The table measured, with something moved until a clause lies within two sigmas of its threshold.

    Of several `clauses` each has a mover of its own, and all lie so in the end.
    """
    measured = _measured(state, r)
    placed: dict[str, Switch] = {}
    for _ in range(clauses):
        switches = [one for one in _trace(measured, query) if one.key not in {s.key for s in placed.values()}]
        chosen = r.choice(switches) if switches else None
        movers = [
            id_
            for id_ in (chosen.on if chosen is not None else ())
            if isinstance(measured.by_id.get(id_), Miniature) and id_ not in placed
        ]
        if chosen is None or not movers:
            return None
        mover = r.choice(movers)
        moved = _move_to_clause(measured, query, chosen, mover, r.uniform(-_NEAR_MM, _NEAR_MM))
        if moved is None:
            return None
        measured, placed[mover] = moved, chosen
    margins = [_margin(measured, query, one) for one in placed.values()]
    if any(mm is None or abs(mm) > _NEAR_MM + _TOLERANCE_MM for mm in margins):
        return None
    return measured, " and ".join(one.clause for one in placed.values())


def _move_to_clause(
    state: TableState, query: BaseQuery, chosen: Switch, mover: str, target_mm: float
) -> TableState | None:
    """With the mover where that comparison has this margin, by Newton's steps; None where they lead nowhere."""
    for _ in range(6):
        margin = _margin(state, query, chosen)
        if margin is None:
            return None
        if abs(margin - target_mm) < _TOLERANCE_MM:
            return state
        slope = _slope(state, query, chosen, mover, margin)
        length2 = slope[0] ** 2 + slope[1] ** 2
        if not 1e-4 <= length2 < math.inf:
            return None
        step = (target_mm - margin) / length2
        by = (step * slope[0], step * slope[1])
        if abs(by[0]) + abs(by[1]) > _MOST_MOVED_MM:
            return None
        state = _moved(state, mover, by)
    return None


def _measured(state: TableState, r: random.Random) -> TableState:
    """As a camera measures it: a ranked unit as one piece, its members in it by a tenth of a millimetre."""
    place_mm = r.choice((0.2, 0.3, 0.5))
    units = [unit.id for unit in state.units if unit.formation == "ranked"]
    modes = [mode for id_ in units for mode in _modes_of_piece(state, id_, place_mm)]
    raw = state.model_dump()
    for one in raw["miniatures"]:
        shared = [mode["shift_mm"].get(one["id"], (0.0, 0.0)) for mode in modes]
        if one["unit"] in units:
            shared_mm2 = np.array(shared).T @ np.array(shared)
            covariance = shared_mm2 + _WITHIN_MM**2 * np.eye(2)
            one |= {"sigma": {"at_mm": place_mm, "facing_deg": math.hypot(_TURN_DEG, _WITHIN_DEG)}}
            one |= {"covariance_mm2": covariance.tolist()}
        else:
            one |= {"sigma": {"at_mm": place_mm, "facing_deg": 1.0}}
    return TableState.model_validate(raw | {"common_mm": modes})


def _modes_of_piece(state: TableState, unit: str, place_mm: float) -> Iterator[dict[str, Any]]:
    """A unit that is moved right, away, or turned about its middle, by a sigma each."""
    at = {m.id: m.at_mm for m in state.miniatures if m.unit == unit}
    middle = np.mean(list(at.values()), axis=0)
    for axis in ((place_mm, 0.0), (0.0, place_mm)):
        yield {"name": f"{unit} {axis}", "shift_mm": dict.fromkeys(at, axis)}
    turn = math.radians(_TURN_DEG)
    arms = {id_: (turn * (middle[1] - y), turn * (x - middle[0])) for id_, (x, y) in at.items()}
    yield {"name": f"{unit} turned", "shift_mm": arms, "turn_deg": dict.fromkeys(at, _TURN_DEG)}


def _moved(state: TableState, mover: str, by_mm: tuple[float, float]) -> TableState:
    """With the mover elsewhere; of a ranked unit all of it, as it goes over a table."""
    movers = members_of_unit(state, ranked_unit_of(state, mover) or mover)
    return state.with_miniatures(
        tuple(
            one
            if one.id not in movers
            else one.with_place((one.at_mm[0] + by_mm[0], one.at_mm[1] + by_mm[1]), facing_deg=one.facing_deg)
            for one in state.miniatures
        )
    )


def _trace(state: TableState, query: BaseQuery) -> list[Switch]:
    """Every comparison of one exact run, and the margin itself as one."""
    result = _run(state, query)
    if result is None or result.status != "decided":
        return []
    margin = Switch(_MARGIN, result.decisive_mm, result.depends_on_place)
    return [*result.switches, margin]


def _run(state: TableState, query: BaseQuery) -> RuleResult | None:
    edition = EDITIONS[state.edition]
    rule = traced(lambda table: edition.rules[type(query)](table, query))
    try:
        return rule(ExactTable(state, edition))
    except (FacingUnknown, TablesideError):
        return None


def _margin(state: TableState, query: BaseQuery, chosen: Switch) -> float | None:
    return next((one.margin for one in _trace(state, query) if one.key == chosen.key), None)


def _slope(state: TableState, query: BaseQuery, chosen: Switch, mover: str, margin: float) -> tuple[float, float]:
    """How the clause's margin changes per millimetre that the mover goes right and away."""
    there = [_margin(_moved(state, mover, by), query, chosen) for by in ((_STEP_MM, 0.0), (0.0, _STEP_MM))]
    right, away = (0.0 if one is None else (one - margin) / _STEP_MM for one in there)
    return right, away


def _page(cases: Sequence[Case], draws: int) -> Iterator[str]:
    yield "# How honest the doubt is\n"
    yield "<!-- Written by `python -m benchmarks.rules.doubt_everywhere --page docs/doubt.md`. -->\n"
    yield f"{len(cases):,} tables, each within two sigmas of a clause, {draws} redrawn states each.\n"
    yield "| edition | kind | tables | sure | sure and wrong | mean gap | largest gap | worst clause |"
    yield "|---|---|---|---|---|---|---|---|"
    for (edition, kind), some in sorted(_by_kind(cases).items()):
        worst = max(some, key=_gap)
        sure = [one for one in some if one.answer in ("yes", "no")]
        wrong = _wrong_share(sure)
        mean = sum(map(_gap, some)) / len(some)
        yield (
            f"| {edition} | `{kind}` | {len(some)} | {len(sure)} | {wrong:.4f} | {mean:.3f} | {_gap(worst):.2f} | "
            f"{worst.clause} |"
        )
    sure = [one for one in cases if one.answer in ("yes", "no")]
    said = sum(min(one.stated, 1 - one.stated) for one in sure) / max(1, len(sure))
    yield (
        f"\nCalled sure: {len(sure)} of {len(cases)}. Wrong among their redrawn states: {_wrong_share(sure):.4f}; "
        f"by the probabilities they state themselves {said:.4f} are.\n"
    )
    yield from _outliers(cases, draws)
    yield "| stated | tables | mean stated | true |\n|---|---|---|---|"
    for low, high in pairwise(_DECILES):
        some = [one for one in cases if low <= one.stated < high or (high == 1.0 and one.stated == 1.0)]
        if some:
            stated, true = (sum(values) / len(some) for values in ([o.stated for o in some], [o.true for o in some]))
            yield f"| {low:.1f} to {high:.1f} | {len(some)} | {stated:.3f} | {true:.3f} |"
    yield _REMAINS


def _outliers(cases: Sequence[Case], draws: int) -> Iterator[str]:
    """The tables whose redrawn share is no chance any more: five deviations of so many draws off."""
    yield f"Tables whose share lies {_DEVIATIONS} deviations of {draws} draws or more from what was stated:\n"
    found = [one for one in cases if _gap(one) >= _DEVIATIONS * _deviation(one, draws)]
    for one in sorted(found, key=lambda one: -_gap(one)):
        yield f"- {one.edition} `{one.kind}`, {one.clause}: stated {one.stated:.3f}, redrawn {one.true:.3f}"
    yield "" if found else "none.\n"


def _deviation(case: Case, draws: int) -> float:
    """That of the share of so many draws, where what was stated is true; at the ends that of one in 500."""
    stated = min(max(case.stated, 0.002), 0.998)
    return math.sqrt(stated * (1 - stated) / draws)


_DEVIATIONS = 5
_REMAINS = """
## What it says

A verdict is called sure from a probability of 0.975 on. All tables here lie within two sigmas of a clause, so that many
who are called sure are so by little: of these one in forty redrawn states says the other, and has to. What tells
whether the doubt is honest is that redrawn and stated shares agree: by decile, in sum, and table by table.

## What remains

- What no smooth margin settles is redrawn: up to 240 tables, less where 200 effective draws are in or the answer is
  sure. Of 200 a share is known to .07, two deviations; a search that costs more ends at a limit of work, of some 40 to
  50 tables and .13. `estimate` says between what it lies; what is called sure is sure by the whole of that interval.
- Whether a comparison near its limit matters is first asked of the table as it stands, with that comparison turned:
  what changes nothing there, alone, with a neighbour or all at once, opens no redrawing. What is so left out is still
  tried on eight tables drawn three sigmas off, as every prediction is. Where these say that one was off and are all
  answered alike, far from the threshold by more than they scatter, that is sure without more.
- A charge's path, found where all stands as told, is tried first on each drawn table, and searched where it fails.
- Kinds with few tables here, or none, are those that only measure, or have no clause that two sigmas can reach.
"""


def _by_kind(cases: Sequence[Case]) -> dict[tuple[str, str], list[Case]]:
    found: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for one in cases:
        found[one.edition, one.kind].append(one)
    return found


def _gap(case: Case) -> float:
    return abs(case.stated - case.true)


def _wrong_share(sure: Sequence[Case]) -> float:
    """Of the redrawn states of verdicts called sure, the share that says the other."""
    wrong = [1 - one.true if one.answer == "yes" else one.true for one in sure]
    return sum(wrong) / len(wrong) if wrong else 0.0


if __name__ == "__main__":
    run(main)
