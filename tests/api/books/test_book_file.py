"""Book files: what is wrong is named with key, line and value, and nothing in them is worked out or rendered."""

import tomllib
from pathlib import Path

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.books.book_file import MOST_BYTES, BookFile, parse_book, read_book
from api.books.examples import EXAMPLES
from api.errors import BadBook
from models.house_rules import OPEN_SETTINGS, PRESET_KEY, PRESETS
from tests.api.books.files import HEAD, PAIR, read

B2B = "[tests.question]\nkind = 'b2b'"
ROOM = len(HEAD.splitlines())  # lines before what a test writes


@pytest.mark.parametrize(
    ("text", "field", "line", "value", "says"),
    [
        ("authr = 'me'", "authr", 1, "me", "not known"),
        ("[settings]\nopen-mesure = 'edge'", "settings.open-mesure", 2, "edge", "no setting"),
        ("[settings]\nopen-measure = 'elbow'", "settings.open-measure", 2, "elbow", "edge, centre"),
        ("[settings]\n\nopen-arc-deg = 400", "settings.open-arc-deg", 3, 400.0, "at most 360"),
        ("[settings]\nopen-arc-deg = nan", "settings.open-arc-deg", 2, None, "finite"),
        ("[settings]\nopen-preset = 'plain'", "settings.open-preset", 2, "plain", "no setting"),
        ("[ranges]\nwalk = 5\nshot = -1", "ranges.shot", 3, -1, "greater than or equal to 0"),
        ("[ranges]\nwalk = 5\nback = { same_as = 'walk', plus = -6 }", "ranges.back.plus", 3, -6.0, "-1 inches"),
        ("[ranges]\nrun = { same_as = 'walk' }", "ranges.run.same_as", 2, "walk", "no range 'walk'"),
        (
            "[ranges]\na = { same_as = 'b' }\nb = { same_as = 'c' }\nc = { same_as = 'a' }",
            "ranges.a.same_as", 2, "b", "a > b > c > a",
        ),
        ("[ranges]\na = { same_as = 'a' }", "ranges.a.same_as", 2, "a", "a > a"),
        ("preset = 'true-steel'", "preset", 1, "true-steel", "no preset 'true-steel'"),
        ("[actions.rush]\nrange = 'walk'\ndice = '1D6'\nsees = true", "actions", 1, "actions",
         "rush = 'sees(a, b) and free_way(a, b) and way(a, b) <= walk + 1D6'"),
        ("[[sheet]]\nask = 'los'\ntitle = 'A'\n[[sheet]]\nask = 'charge'\ntitle = 'B'", "sheet.1.ask", 5, "charge",
         "los"),
        ("[[sheet]]\nask = 'within'\ntitle = 'A near B'", "sheet.0", 1, None, "takes range"),
        ("[[sheet]]\nask = 'rule'\ntitle = 'A'\nrule = 'fly'", "sheet.0.rule", 4, "fly", "no rule 'fly'"),
        ("[texts]\nopen-elbow = 'x'", "texts.open-elbow", 2, "open-elbow", "no setting"),
        ("[sources]\nopen-sight = { section = 'Seeing', page = 0 }", "sources.open-sight.page", 2, 0, "greater"),
        ("bases = [\n { shape = 'round', diameter_mm = 0 },\n]", "bases.0.diameter_mm", 2, 0, "greater than 0"),
        ("format = 2", "format", 1, 2, "later version"),
        ("format = '1'", "format", 1, "1", "1"),
        (f"[[tests]]\nname = 'x'\ntable = 'gone'\nanswer = 'yes'\n{B2B}", "tests.0.table", 3, "gone", "no table"),
        (f"{PAIR}\n[[tests]]\nname = 'x'\ntable = 'plain'\n{B2B}", "tests.0", 9, "x", "nothing"),
    ],
)  # fmt: skip
def test_a_fault_names_key_line_and_value(text: str, field: str, line: int, value: object, says: str) -> None:
    with pytest.raises(BadBook, match=r"^steel\.toml: line ") as refused:
        read(text)

    problem = refused.value.problem()
    assert (problem["field"], problem["line"]) == (field, ROOM + line)
    assert says in problem["detail"]
    if value is not None:
        assert problem["value"] == value


@pytest.mark.parametrize("name", ["<b>Steel</b>", "Steel\x07", "", "x" * 81, "St\neel"])
def test_a_name_with_markup_control_characters_or_no_end_is_refused(name: str) -> None:
    escaped = "".join(ch if ch.isprintable() else f"\\u{ord(ch):04x}" for ch in name)
    with pytest.raises(BadBook) as refused:
        parse_book(f'name = "{escaped}"\nversion = "1.0"\n'.encode(), name="steel.toml")

    assert (refused.value.field, refused.value.facts["line"]) == ("name", 1)


def test_a_text_of_a_hundred_thousand_characters_is_refused_without_being_repeated() -> None:
    with pytest.raises(BadBook) as refused:
        read(f"[texts]\nabout = '{'x' * 100_000}'")

    assert refused.value.field == "texts.about"
    assert "(100000 characters)" in str(refused.value.value)
    assert len(str(refused.value.problem())) < 1000


def test_a_key_of_a_hundred_thousand_characters_is_refused_without_being_repeated() -> None:
    with pytest.raises(BadBook) as refused:
        read(f"[ranges]\n{'x' * 100_000} = 1")

    assert len(str(refused.value.problem())) < 1000


def test_a_file_larger_than_any_book_is_not_read() -> None:
    with pytest.raises(BadBook, match="larger than 1 MB"):
        parse_book(b"#" * (MOST_BYTES + 1), name="steel.toml")


@pytest.mark.parametrize("raw", [b"name = ", b"\xff\xfe\x00", b"a = " + b"[" * 5000, b"a = 1\na = 2"])
def test_what_is_no_toml_is_refused(raw: bytes) -> None:
    with pytest.raises(BadBook, match="no TOML"):
        parse_book(raw, name="steel.toml")


def test_what_is_missing_from_the_whole_file_is_missing_from_its_first_line() -> None:
    with pytest.raises(BadBook, match="line 1: version: Field required"):
        parse_book(b'name = "Steel"', name="steel.toml")


def test_a_table_within_one_that_is_not_known_has_its_line() -> None:
    with pytest.raises(BadBook) as refused:
        read("[elsewhere.within]\nx = 1")

    assert (refused.value.field, refused.value.facts["line"]) == ("elsewhere", ROOM + 1)


def test_the_line_of_broken_toml_is_named() -> None:
    with pytest.raises(BadBook) as refused:
        read("author = 'x'\nbroken")

    assert refused.value.facts["line"] == ROOM + 2


def test_a_key_with_dots_in_quotes_below_a_text_of_many_lines_has_its_own_line() -> None:
    with pytest.raises(BadBook) as refused:
        read('[texts]\nabout = """one\n[ranges]\nwalk = 3"""\n"open-sight.x" = "y"')

    assert refused.value.facts["line"] == ROOM + 5


def test_settings_that_are_not_told_are_those_of_the_preset_and_then_the_defaults() -> None:
    readings = read("preset = 'massed-ranks'\n[settings]\nopen-arc-deg = 120").in_play.rules.readings()

    assert readings == {**PRESETS["massed-ranks"], "open-arc-deg": "120"}


def test_a_derived_range_is_the_other_and_so_much_more() -> None:
    rules = read(
        "[ranges]\nwalk = 5\nrun = { same_as = 'walk', plus = 3 }\ndash = { same_as = 'run', plus = 1.5 }"
    ).file

    assert [rules.range_in(name) for name in ("walk", "run", "dash")] == [5, 8, 9.5]


def test_a_book_extends_one_that_ships_but_for_what_it_tells_itself() -> None:
    own = "extends = 'curling 1.0'\n[rules]\nin-house = 'distance(a, tee) <= 7 ft'"
    rules = read(own).in_play.rules

    assert rules.rules["in-house"] == "distance(a, tee) <= 7 ft"
    assert (rules.name, "shot-stone" in rules.rules, rules.sheet[0].rule) == ("Steel", True, "nearer")


def test_the_one_file_of_a_book_and_those_it_extends_is_the_same_book() -> None:
    own = read("extends = 'curling 1.0'\n[rules]\nin-house = 'distance(a, tee) <= 7 ft'" + PAIR)
    alone = parse_book(own.whole, name="alone.toml")

    assert (alone.in_play, alone.file.tables) == (own.in_play, own.file.tables)
    assert b"extends" not in own.whole


def test_a_book_extends_files_beside_it_of_which_a_later_one_outweighs_an_earlier(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(f"{HEAD}[ranges]\nwalk = 4\nrun = 8\n")
    (tmp_path / "club.toml").write_text(f"{HEAD}[ranges]\nwalk = 5\n")
    (tmp_path / "mine.toml").write_text(f"{HEAD}extends = ['house.toml 1.0', 'club.toml 1.0']\n[ranges]\nrun = 9")

    assert read_book(tmp_path / "mine.toml").file.ranges == {"walk": 5, "run": 9}


@pytest.mark.parametrize(
    ("house", "says"),
    [
        ("[ranges]\nwalk = -1", r"house\.toml: line 4: ranges\.walk"),
        ("extends = 'mine.toml 1.0'", r"house\.toml: line 3: extends: mine\.toml extends itself"),
        ("extends = '../mine.toml 1.0'", "there is no book"),
    ],
)
def test_a_fault_of_a_file_that_is_extended_names_that_file(tmp_path: Path, house: str, says: str) -> None:
    (tmp_path / "house.toml").write_text(HEAD + house)
    (tmp_path / "mine.toml").write_text(f"{HEAD}extends = 'house.toml 1.0'\n")

    with pytest.raises(BadBook, match=says):
        read_book(tmp_path / "mine.toml")


@pytest.mark.parametrize(
    ("extends", "says"),
    [
        ("curlin 1.0", "no book 'curlin' ships"),
        ("curling 9", "is of version 1.0 here"),
        ("house.toml 1.0", "no book 'house.toml' ships"),  # a book that came alone has no folder
    ],
)
def test_what_ships_not_or_in_another_version_is_not_extended(extends: str, says: str) -> None:
    with pytest.raises(BadBook, match=says) as refused:
        read(f"extends = '{extends}'")

    assert (refused.value.field, refused.value.facts["line"]) == ("extends", ROOM + 1)


def test_a_fault_in_an_expression_has_its_column() -> None:
    with pytest.raises(BadBook, match=f"line {ROOM + 2}, column 22: rules.near: 'elbow' is") as refused:
        read("[rules]\nnear = 'distance(a,  elbow) <= 1'")

    assert refused.value.facts["column"] == 22


def test_a_fault_in_an_inline_table_has_its_column() -> None:
    with pytest.raises(BadBook, match=f"line {ROOM + 2}, column 9: ranges.run.same_as") as refused:
        read("[ranges]\nrun = { same_as = 'walk' }")

    assert refused.value.facts["column"] == 9


def test_the_hash_is_that_of_the_file() -> None:
    import hashlib

    assert read("").in_play.sha256 == hashlib.sha256(HEAD.encode()).hexdigest()


def test_the_published_schema_knows_every_setting_and_refuses_others() -> None:
    schema = BookFile.model_json_schema()["properties"]["settings"]
    assert set(schema["properties"]) == {rule.key for rule in OPEN_SETTINGS} - {PRESET_KEY}
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_published_schema_takes_the_examples_and_refuses_a_slip(name: str) -> None:
    schema = jsonschema_rs.validator_for(BookFile.model_json_schema())
    told = tomllib.loads(EXAMPLES[name].read_text(encoding="utf-8"))

    assert schema.is_valid(told)
    assert not schema.is_valid(told | {"settings": told["settings"] | {"open-mesure": "edge"}})
    assert not schema.is_valid(told | {"ranges": {"walk": -1}})


_LINES = EXAMPLES["lantern-street"].read_text(encoding="utf-8").splitlines()
_VALUES = (
    "-1",
    "nan",
    "1e308",
    "true",
    "'x'",
    "[]",
    "{}",
    "[1]",
    "{ a = 1 }",
    "1979-05-27",
    "'<b>'",
    f"'{'y' * 500}'",
    "",
)


@given(st.sampled_from([k for k, line in enumerate(_LINES) if "=" in line]), st.sampled_from(_VALUES), st.booleans())
@settings(max_examples=60, deadline=None)
def test_whatever_stands_in_place_of_a_value_is_read_or_refused_with_its_line(k: int, value: str, last: bool) -> None:
    head = _LINES[k].rsplit("=", 1)[0] if last else _LINES[k].split("=", 1)[0]
    text = "\n".join((*_LINES[:k], f"{head}= {value}", *_LINES[k + 1 :]))
    refused = _find_fault(text)

    assert refused is None or 1 <= refused.facts["line"] <= len(_LINES)
    assert refused is None or len(str(refused.problem())) < 1500


def _find_fault(text: str) -> BadBook | None:
    try:
        parse_book(text.encode(), name="steel.toml")
    except BadBook as refused:
        return refused
    return None
