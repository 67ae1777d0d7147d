"""The door for programs."""

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cv2 import imwrite

import tableside
from api.cli.serve import SHIPPED, shipped_camera
from api.storage.files import save
from models.errors import BadFile, BadQuery, BadState, UnknownThing
from models.queries import Within
from models.state import TableState
from models.timeline import StateLine
from referee import ask
from tableside import Picture, Table, watch
from tests.house.sources import ROOT
from vision.capture.sources import read_frames

BASE = {"shape": "round", "diameter_mm": 30}
STATE = {
    "version": 1, "edition": "warmachine-prime", "table": {"width_mm": 1219, "depth_mm": 1219},
    "miniatures": [
        {"id": "m1", "name": "Mara", "base": BASE, "at_mm": [300, 300], "facing_deg": 0},
        {"id": "m2", "base": BASE, "at_mm": [430, 300], "facing_deg": 180},
    ],
}  # fmt: skip
TABLE = Table.from_state(STATE)


def test_the_modules_own_examples_come_out() -> None:
    assert doctest.testmod(tableside) == doctest.TestResults(failed=0, attempted=5)


def test_every_example_of_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    exec("\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)), {})

    assert {path.name for path in tmp_path.iterdir()} == {"table.svg", "verdict.svg"}


def test_a_state_is_taken_as_a_value_an_object_and_a_file(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text(TABLE.to_json(), encoding="utf-8")

    assert Table.from_state(TABLE.state) == TABLE == Table.from_state(tmp_path / "state.json")
    assert json.loads(TABLE.to_json())["miniatures"][0]["name"] == "Mara"


def test_another_rulebook_judges_the_same_table() -> None:
    assert Table.from_state(STATE, edition="hordes-mk2").state == TABLE.state.in_edition("hordes-mk2", None)


def test_a_verdict_is_the_referees() -> None:
    assert TABLE.ask("within", "m1", "m2", range_in=4) == ask(TABLE.state, Within(a="m1", b="m2", range_in=4))


def test_things_are_asked_about_by_name() -> None:
    assert TABLE.ask("los", "Mara", "m2") == TABLE.ask("los", viewer="m1", target="m2")


def test_a_sheet_is_that_of_the_phone() -> None:
    pair, alone = TABLE.sheet("Mara", "m2", range_in=5), TABLE.sheet("Mara")

    assert [line.headline for line in pair.lines][:1] == [TABLE.sheet("m1", "m2").lines[0].headline]
    assert alone.who == "m1"


@pytest.mark.parametrize(
    ("names", "fields", "error", "says"),
    [
        (("m1", "m2", "m1"), {}, BadQuery, "a, b"),
        (("m1", "nobody"), {"range_in": 4}, UnknownThing, "nobody"),
        (("m1", "m2"), {"range_in": -1}, BadQuery, "range_in"),
    ],
)
def test_what_cannot_be_asked_names_the_field(
    names: tuple[str, ...], fields: dict[str, float], error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        TABLE.ask("within", *names, **fields)


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(BadQuery, match="'sees'"):
        TABLE.ask("sees", "m1", "m2")


def test_a_state_that_is_none_names_the_field() -> None:
    with pytest.raises(BadState, match="miniatures"):
        Table.from_state({**STATE, "miniatures": [{"id": "a"}]})


def test_a_photograph_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"lens\.json"):
        Table.from_photo(tmp_path / "no.jpg", camera=tmp_path / "lens.json", layout=tmp_path / "no.json")


def test_a_notebook_shows_tables_and_drawings() -> None:
    verdict = TABLE.ask("distance", "m1", "m2")
    whole, part = TABLE.draw(), TABLE.draw(verdict)

    assert isinstance(part, Picture)
    assert part._repr_svg_().startswith("<svg")
    assert "100.0" in part
    assert TABLE._repr_svg_() == whole != part


def test_a_photograph_becomes_a_table_and_a_recording_moments(tmp_path: Path) -> None:
    """The first picture of the recording shows what its first settled state says."""
    save(shipped_camera(), tmp_path / "camera.json")
    files: dict[str, Path] = {"camera": tmp_path / "camera.json", "layout": SHIPPED / "layout.json"}
    imwrite(str(tmp_path / "first.png"), next(iter(read_frames(SHIPPED / "game.mp4"))).image)

    table = Table.from_photo(tmp_path / "first.png", **files, edition="hordes-mk2")
    state = next(moment.state for moment in watch(SHIPPED / "game.mp4", **files) if isinstance(moment, StateLine))

    assert table.state.edition == "hordes-mk2"
    assert sorted(m.base.diameter_mm for m in table.state.miniatures) == sorted(
        m.base.diameter_mm for m in state.miniatures
    )


def _bases_of(state: TableState) -> list[str]:
    return sorted(miniature.base.model_dump_json() for miniature in state.miniatures)


def test_the_import_alone_loads_neither_rules_nor_vision() -> None:
    heavy = "{'cv2', 'fastapi', 'onnxruntime', 'shapely', 'typer', 'referee.editions', 'vision'}"
    code = f"import sys, tableside; print({heavy} & set(sys.modules))"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True).stdout

    assert said.strip() == "set()"
