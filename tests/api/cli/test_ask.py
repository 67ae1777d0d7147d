"""`tableside ask`, `queries`, `schema`, `editions` as a script would use them."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli import app, main
from models.queries import QUERIES

STATE: dict[str, Any] = {
    "version": 1,
    "edition": "warmachine-prime",
    "table": {"width_mm": 1219.2, "depth_mm": 1219.2},
    "miniatures": [
        {"id": "a", "base": {"shape": "round", "diameter_mm": 30}, "at_mm": [300, 600], "facing_deg": 0},
        {"id": "b", "base": {"shape": "round", "diameter_mm": 40}, "at_mm": [500, 600], "facing_deg": 180},
    ],
}


@pytest.fixture
def asked(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command line in this process: exit code, stdout, and the problem object if there was one."""

    def run(*words: str, state: Any = STATE, query: Any = None) -> tuple[int, str, dict[str, Any]]:
        (tmp_path / "state.json").write_text(state if isinstance(state, str) else json.dumps(state))
        (tmp_path / "query.json").write_text(query if isinstance(query, str) else json.dumps(query))
        arguments = [str(tmp_path / word) if word.endswith(".json") else word for word in words]
        monkeypatch.setattr(sys, "argv", ["tableside", *arguments])
        code = 0
        try:
            main()
        except SystemExit as left:
            code = int(left.code or 0)
        out, err = capsys.readouterr()
        return code, out, json.loads(err) if err else {}

    return run


DISTANCE = {"kind": "distance", "a": "a", "b": "b"}


def test_one_question_has_one_verdict(asked: Any) -> None:
    code, out, _ = asked("ask", "state.json", "query.json", query=DISTANCE)

    assert code == 0
    assert json.loads(out)["value"]["distance_mm"] == 165.0


def test_a_file_may_hold_one_question_a_line(asked: Any) -> None:
    queries = [DISTANCE, {"kind": "los", "viewer": "a", "target": "b"}]
    lines = "".join(json.dumps(one) + "\n" for one in queries)

    assert asked("ask", "state.json", "query.json", query=lines) == asked(
        "ask", "state.json", "query.json", query=queries
    )


def test_what_may_be_a_base_in_the_way_makes_it_too_close_to_call(asked: Any) -> None:
    between = {"base": {"shape": "round", "diameter_mm": 50}, "at_mm": [400, 600], "sigma_mm": 1.0, "probability": 0.6}
    sees = {"kind": "los", "viewer": "a", "target": "b"}
    _, out, _ = asked("ask", "state.json", "query.json", state=STATE | {"unconfirmed": [between]}, query=sees)

    verdict = json.loads(out)
    assert (verdict["answer"], verdict["flips_if"][0]["whether"]) == ("too-close", "whether ?1 is a base")


@pytest.mark.parametrize("as_lines", [True, False], ids=["one a line", "a list"])
@pytest.mark.parametrize(
    ("wrong", "field", "value"),
    [
        ({"kind": "los", "viewer": "a", "target": "z"}, "target", "z"),
        ({"kind": "within", "a": "a", "b": "b", "range_in": -1}, "range_in", -1),
        ({"kind": "loss", "viewer": "a", "target": "b"}, "kind", "loss"),
    ],
)
def test_one_bad_question_among_a_thousand_is_named_and_nothing_is_answered(
    asked: Any, wrong: dict[str, Any], field: str, value: Any, as_lines: bool
) -> None:
    queries = [DISTANCE] * 616 + [wrong] + [DISTANCE] * 383
    text = "\n".join(map(json.dumps, queries)) if as_lines else queries

    code, out, problem = asked("ask", "state.json", "query.json", query=text)

    assert (code, out) == (2, "")
    assert (problem["index"], problem["field"], problem["value"]) == (616, field, value)


def test_a_line_that_is_no_json_is_named_by_its_number(asked: Any) -> None:
    lines = [json.dumps(DISTANCE)] * 40
    lines[17] = '{"kind": "distance", "a": "a"'

    code, out, problem = asked("ask", "state.json", "query.json", query="\n".join(lines))

    assert (code, out, problem["index"]) == (2, "", 17)
    assert "line 18" in problem["detail"]


def test_a_list_has_one_verdict_a_line_in_the_same_order(asked: Any) -> None:
    queries = [DISTANCE, {"kind": "los", "viewer": "a", "target": "b"}]

    _, out, _ = asked("ask", "state.json", "query.json", query=queries)

    assert [json.loads(line)["kind"] for line in out.splitlines()] == ["distance", "los"]


def test_a_list_of_one_is_still_one_line(asked: Any) -> None:
    _, out, _ = asked("ask", "state.json", "query.json", query=[DISTANCE])

    assert len(out.splitlines()) == 1


def test_several_editions_answer_each_question_in_turn(asked: Any) -> None:
    _, out, _ = asked(
        "ask", "state.json", "query.json", "--edition", "warmachine-prime,hordes-mk2", query=[DISTANCE, DISTANCE]
    )

    editions = [json.loads(line)["edition"] for line in out.splitlines()]
    assert editions == ["warmachine-prime", "hordes-mk2"] * 2


def test_side_by_side_each_verdict_names_where_it_parts_from_the_first(asked: Any) -> None:
    los = {"kind": "los", "viewer": "a", "target": "b"}
    _, out, _ = asked(
        "ask", "state.json", "query.json", "--edition", "warmachine-prime,hordes-mk2", query=[los, DISTANCE]
    )

    parts = [json.loads(line)["parts"] for line in out.splitlines()]
    assert parts[0] == parts[2] == []
    assert "margin_mm" in parts[1]
    assert "answer" not in parts[1]
    assert "status" in parts[3]


@pytest.mark.parametrize(
    ("query", "field", "value"),
    [
        ({"kind": "distance", "a": "a", "b": "nobody"}, "b", "nobody"),
        ({"kind": "guess", "a": "a"}, "kind", "guess"),
        ({"kind": "within", "a": "a", "b": "b", "range_in": -1}, "range_in", -1),
        ({"kind": "distance", "a": "a", "b": "b", "colour": "red"}, "colour", "red"),
    ],
)
def test_a_bad_question_is_refused_with_its_field_and_value(asked: Any, query: Any, field: str, value: Any) -> None:
    code, out, problem = asked("ask", "state.json", "query.json", query=query)

    assert (code, out) == (2, "")
    assert (problem["field"], problem["value"]) == (field, value)


def test_one_bad_question_refuses_the_whole_list_by_its_index(asked: Any) -> None:
    queries = [DISTANCE, DISTANCE, {"kind": "b2b", "a": "a", "b": "ghost"}]

    code, out, problem = asked("ask", "state.json", "query.json", query=queries)

    assert (code, out) == (2, "")
    assert (problem["index"], problem["value"]) == (2, "ghost")


@pytest.mark.parametrize(
    ("state", "field"),
    [
        (STATE | {"colour": "green"}, "colour"),
        ("{not json", ""),
        (STATE | {"table": {"width_mm": "NaN", "depth_mm": 1219.2}}, "table.width_mm"),
    ],
)
def test_a_state_that_is_no_table_is_refused(asked: Any, state: Any, field: str) -> None:
    code, out, problem = asked("ask", "state.json", "query.json", state=state, query=DISTANCE)

    assert (code, out) == (2, "")
    assert problem["field"] == field


def test_an_unknown_edition_is_refused(asked: Any) -> None:
    code, _, problem = asked("ask", "state.json", "query.json", "--edition", "chess", query=DISTANCE)

    assert (code, problem["field"], problem["value"]) == (2, "edition", "chess")


def test_a_missing_file_is_bad_input(asked: Any) -> None:
    code, _, problem = asked("ask", "nowhere/state.json", "query.json", query=DISTANCE)

    assert (code, problem["field"]) == (2, "file")


def test_the_state_may_come_from_stdin(tmp_path: Path) -> None:
    query = tmp_path / "query.json"
    query.write_text(json.dumps(DISTANCE))

    result = CliRunner().invoke(app, ["ask", "-", str(query)], input=json.dumps(STATE))

    assert json.loads(result.stdout)["status"] == "measured"


def test_every_kind_is_listed_with_its_question_and_schema(asked: Any) -> None:
    _, out, _ = asked("queries")

    listed = json.loads(out)
    assert set(listed) == set(QUERIES)
    assert listed["los"]["asks"] == "Can A see B?"


def test_an_edition_lists_only_its_own_questions(asked: Any) -> None:
    _, out, _ = asked("queries", "--edition", "warhammer-9")

    assert "engaged" not in json.loads(out)


@pytest.mark.parametrize("name", ["state", "query", "verdict", "layout", "board", "camera", "catalogue"])
def test_every_file_format_has_a_schema(asked: Any, name: str) -> None:
    code, out, _ = asked("schema", name)

    assert code == 0
    assert "$defs" in json.loads(out) or "properties" in json.loads(out)


def test_an_unknown_schema_is_refused(asked: Any) -> None:
    code, _, problem = asked("schema", "poem")

    assert (code, problem["value"]) == (2, "poem")


def test_editions_say_what_they_answer(asked: Any) -> None:
    _, out, _ = asked("editions")

    assert "los" in json.loads(out)["warmachine-prime"]["answers"]


def test_asking_loads_no_picture_library() -> None:
    """A script that asks a thousand times must not pay for the camera each time."""
    code = "import sys, api.cli.ask, referee; sys.exit('cv2' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_pair_is_told_in_words(asked: Any) -> None:
    code, out, _ = asked("ask", "state.json", "a", "b", "--range-in", "6")

    told = dict(line.split(": ", 1) for line in out.splitlines())
    assert code == 0
    assert (told["Distance"], told["A sees B"], told["A shoots B"]) == ("6.50\u2033", "Clear", "Out of range")


def test_a_pair_as_json_is_the_sheet_of_the_phone(asked: Any) -> None:
    _, out, _ = asked("ask", "state.json", "a", "b", "--json")

    sheet = json.loads(out)
    assert sheet["is_whole"]
    assert sheet["lines"][0]["verdict"]["kind"] == "los"


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        (["a", "z"], "b", "z"),
        (["a", "b", "--reach-in", "-1"], "reach_in", -1),
        (["a", "b", "--facing", "a"], "facing", "a"),
        (["a", "b", "--facing", "z=90"], "facings_deg", "z"),
    ],
)
def test_a_bad_pair_is_named(asked: Any, words: list[str], field: str, value: Any) -> None:
    code, out, problem = asked("ask", "state.json", *words)

    assert (code, out, problem["field"], problem["value"]) == (2, "", field, value)
