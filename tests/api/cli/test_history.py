"""`tableside history`: earlier moments of a timeline."""

import json
from pathlib import Path

import pytest

from models.base import RoundBase
from models.miniature import Miniature
from models.pose import Sigma
from models.state import TableSize, TableState
from models.timeline import StateLine
from models.vocabulary import Point
from tests.api.cli.commands import Ended, run


def _line(t_s: float, at_mm: Point) -> str:
    one = Miniature(id="m1", base=RoundBase(diameter_mm=30), at_mm=at_mm, sigma=Sigma(at_mm=0.2))
    state = TableState(edition="warmachine-prime", table=TableSize(width_mm=600, depth_mm=400), miniatures=(one,))
    return StateLine(t_s=t_s, frame=round(10 * t_s), settled_at_s=t_s, state=state).model_dump_json(exclude_none=True)


@pytest.fixture
def timeline(tmp_path: Path) -> Path:
    path = tmp_path / "timeline.jsonl"
    path.write_text(f"{_line(1.0, (100, 100))}\n{_line(5.0, (230, 100))}\n")
    return path


def _run_history(timeline: Path, *more: str) -> Ended:
    return run("history", str(timeline), *more)


def test_the_state_of_then_is_written(timeline: Path, tmp_path: Path) -> None:
    done = _run_history(timeline, "--at", "4.9", "-o", str(tmp_path / "state.json"))
    state = json.loads((tmp_path / "state.json").read_text())

    assert done.code == 0
    assert state["miniatures"][0]["at_mm"] == [100, 100]


@pytest.mark.parametrize(("allowed_mm", "answer"), [(127.0, "yes"), (130.0, "too-close"), (133.0, "no")])
def test_whether_it_moved_more_than_its_allowance(timeline: Path, allowed_mm: float, answer: str) -> None:
    told = json.loads(_run_history(timeline, "--at", "1", "--moved", "m1", "--allowed-mm", str(allowed_mm)).out)

    assert told["distance_mm"] == 130.0
    assert told["sigma_mm"] == pytest.approx(0.2 * 2**0.5, abs=1e-3)
    assert told["moved_more"] == answer


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("--at", "0.2"), "at_s"),
        (("--at", "1", "--moved", "x"), "id"),
        (("--at", "5", "--moved", "m1", "--until", "2"), "until"),
    ],
)
def test_what_is_not_known_is_refused_by_field(timeline: Path, options: tuple[str, ...], field: str) -> None:
    done = _run_history(timeline, *options)

    assert done.code == 2
    assert done.problem["field"] == field


def test_a_file_that_is_no_timeline_is_refused_with_its_line(timeline: Path) -> None:
    timeline.write_text(timeline.read_text() + '{"type": "gone"}\n')
    done = _run_history(timeline, "--at", "1")

    assert done.code == 2
    assert "line 3 is no line of a timeline" in done.problem["detail"]
