"""`tableside merge` as a script would use it."""

import json
from pathlib import Path
from typing import Any

from tests.api.cli.commands import Ended, run


def _state(path: Path, places: list[tuple[float, float]]) -> Path:
    bases: list[dict[str, Any]] = [
        {"id": f"m{i}", "base": {"shape": "round", "diameter_mm": 30}, "at_mm": place, "sigma": {"at_mm": 0.3}}
        for i, place in enumerate(places)
    ]
    table = {"width_mm": 1828.8, "depth_mm": 1219.2}
    path.write_text(json.dumps({"edition": "warmachine-prime", "table": table, "miniatures": bases}))
    return path


PLACES = [(820.0 + 40 * i, 200.0 + 90 * i) for i in range(6)]


def _run_merge(folder: Path, aside_mm: float, *more: str) -> Ended:
    first = _state(folder / "first.json", PLACES)
    second = _state(folder / "second.json", [(x + aside_mm, y) for x, y in PLACES])
    return run("merge", first, second, "-o", folder / "both.json", *more)


def test_two_states_become_one_file(tmp_path: Path) -> None:
    ended = _run_merge(tmp_path, 0.2, "--json")
    written = json.loads((tmp_path / "both.json").read_text())

    assert ended.code == 0
    assert json.loads(ended.out)["overlap"]["bases"] == 6
    assert [one["at_mm"][0] for one in written["miniatures"]] == [x + 0.1 for x, _ in PLACES]


def test_cameras_that_disagree_are_the_worlds_fault_and_nothing_is_written(tmp_path: Path) -> None:
    ended = _run_merge(tmp_path, 1.2)

    assert ended.code == 3
    assert (ended.problem["type"], ended.problem["overlap"]["apart_mm"]) == ("world/cameras_disagree", 1.2)
    assert not (tmp_path / "both.json").exists()


def test_disagreeing_cameras_are_merged_when_asked(tmp_path: Path) -> None:
    ended = _run_merge(tmp_path, 1.2, "--force")

    assert ended.code == 0
    assert "1.20 mm apart" in ended.out


def test_a_file_that_is_no_state_is_refused(tmp_path: Path) -> None:
    first = _state(tmp_path / "first.json", PLACES)
    (tmp_path / "broken.json").write_text('{"table": 3}')

    assert run("merge", first, tmp_path / "broken.json", "-o", tmp_path / "both.json").code == 2
