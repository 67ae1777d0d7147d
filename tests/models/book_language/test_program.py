"""Programs of written books: what does not fit together is named with its place, whatever the text is."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.book_language.declarations import EACH, FREE_FUNCTIONS, FUNCTIONS, GROUPS, KEYWORDS
from models.book_language.program import LookUpTable, RuleText, check_program
from models.book_language.syntax_tree import MOST_LETTERS, ExpressionFault, parse_expression


def check(text: str, **others: str) -> tuple[str | None, str, int | None]:
    """What a rule gives, else what is said of it and where."""
    rules = {"asked": RuleText(text, None)} | {name: RuleText(other, None) for name, other in others.items()}
    program, faults = check_program(rules, {"armour": {"1-3": "miss", "4+": "hit"}}, {"long-walk": 6.0})
    mine = next((fault for fault in faults if fault.name == "asked"), None)
    return (program.rules["asked"].gives, "", None) if mine is None else (None, mine.says, mine.at)


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        ("distance(a, b) <= 6", "condition"),
        ("distance(a, b) + 25 mm", "length"),
        ("distance(a, b) / 2 in", "number"),
        ("bearing(a, b) <= 45 deg and not sees(a, b)", "condition"),
        ("if sees(a, b) then 2 else 3 in", "length"),
        ("count(x in enemies where sees(a, x))", "number"),
        ("min(distance(a, x) for x in enemies(b))", "length"),
        ("least(x in terrain by distance(a, x))", "thing"),
        ("all(distance(x, a) <= 2 for x in unit(a) where x != a)", "condition"),
        ("long_walk + 2D6 >= distance(a, b) and sees(a, b)", "event"),
        ('look_up("armour", D6) == "hit"', "event"),
        ("best(3D6, 2) + 1", "dice"),
        ("chance(2D6 >= 7)", "number"),
        ("point(18, 24)", "place"),
        ("2 + 3", "plain"),
        ("count(x in those(y in enemies where sees(a, y)) where distance(a, x) <= 6)", "number"),
        ("way(a, enemies, 1) <= long_walk", "condition"),
    ],
)
def test_an_expression_gives_what_its_parts_make(text: str, gives: str) -> None:
    assert check(text) == (gives, "", None)


@pytest.mark.parametrize(
    ("text", "at", "says"),
    [
        ("distance(a, b) <= 45 deg", 0, "do not go together"),
        ("distance(a, b) and true", 19, "nothing of this book"),
        ("distance(a) <= 1", 0, "takes 2 values, not 1"),
        ("sees(a, point(1, 1))", 8, "miniature is wanted here"),
        ("count(x in a)", 11, "a group is wanted"),
        ("any(x in enemies where sees(a, x))", 0, "for each member"),
        ("distance(a, b) * distance(a, b)", 0, "no quantity"),
        ("count(a in enemies)", 0, "a name already"),
        ("2D6 if", 4, "not expected"),
        ("count(x in those(sees(a, y) for y in enemies))", 11, "by `where` alone"),
        ("distance(a,", 11, "ends too soon"),
        ("if 2D6 > 3 then 1 else 2", 3, "condition is wanted"),
        ('look_up("weapons", D6)', 8, "no table 'weapons', only armour"),
        ("best(2D6, 3)", 10, "not thrown"),
        ("asked + 1", 0, "call each other: asked > asked"),
    ],
)
def test_a_fault_is_said_with_its_place(text: str, at: int | None, says: str) -> None:
    gives, said, place = check(text)

    assert (gives, place) == (None, at)
    assert says in said


def test_a_fault_of_a_rule_is_told_where_another_calls_it() -> None:
    assert check("1 + other", other="distance(a, 3)")[1:] == ("other: place is wanted here (anything that one measures "
        "from: a thing or a point), not plain", 4)  # fmt: skip


def test_rules_are_about_those_of_a_b_and_c_that_they_name() -> None:
    texts = {"near": "distance(b, c) < 1", "foes": "count(x in enemies)", "tee": "point(1, 2)"}
    program, _ = check_program({name: RuleText(text, None) for name, text in texts.items()}, {}, {})

    assert [tuple(rule.parameters) for rule in program.rules.values()] == [("b", "c"), ("a",), ()]


@pytest.mark.parametrize("text", ["not " * 400 + "1 < 2", "1" + "+1" * 400, "1 " * 2000, "abs(" * 60 + "1" + ")" * 60])
def test_what_lies_too_deep_or_goes_on_too_long_is_refused(text: str) -> None:
    with pytest.raises(ExpressionFault) as refused:
        parse_expression(text)

    assert 0 <= refused.value.at <= MOST_LETTERS


def test_a_table_has_one_entry_for_a_roll_or_is_refused() -> None:
    table = LookUpTable.of({"1-3": 5, "4": 6, "5+": 7, "heavy": 8})

    assert [table.entry_of(key) for key in (1, 3, 4, 12, 0, "heavy", "light")] == [5, 5, 6, 7, None, 8, None]
    with pytest.raises(ValueError, match="two entries hold for 3"):
        LookUpTable.of({"1-3": 5, "3+": 6})


WORDS = [*KEYWORDS, *FUNCTIONS, *FREE_FUNCTIONS, *EACH, *GROUPS, "a", "b", "x", "(", ")", "<=", "<", "+", "-", "*", "/",
         ",", "1", "2.5 in", "90 deg", "50 %", "2D6", '"w"', "asked", "long_walk"]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=25))
@settings(max_examples=80, deadline=None)
def test_any_row_of_words_is_read_or_refused_with_its_place(tokens: list[str]) -> None:
    text = " ".join(tokens)
    gives, says, at = check(text)

    assert gives is not None or (says and at is not None and 0 <= at <= len(text))


def test_any_change_of_a_letter_is_read_or_refused_with_its_place() -> None:
    text, chance = (
        'if count(x in enemies where distance(a, x) <= 6) >= 2 then "two" else name(least(y in unit(b) by gap(a, y)))',
        random.Random(7),
    )
    for _ in range(60):
        letters = list(text)
        for _ in range(chance.randint(1, 3)):
            letters[chance.randrange(len(letters))] = chance.choice("abx()<=>+-*/,.\"'0159 D%\u00e4\n#")
        mutated = "".join(letters)
        gives, says, at = check(mutated)

        assert gives is not None or (says and at is not None and 0 <= at <= len(mutated))
