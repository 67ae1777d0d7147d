"""Languages of the page: every message, and what the server says, in every language with the same places to fill."""

import json
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from api.answers import answer_line
from api.answers.pair_questions import PairView, pair_questions
from api.answers.unit_questions import UnitPairView, unit_questions
from api.corrections.schemas import MiniatureCorrection, TableCorrection
from api.rulings.schemas import DECISION_WORDS
from models.miniature import Miniature
from models.state import TableState
from referee import EDITIONS
from tests.house.sources import ROOT
from tests.referee.tables import mini, table

WEB = ROOT / "api" / "web" / "src"
MESSAGES, HALL = WEB / "shared" / "messages", WEB / "hall" / "messages"
LATER, PAGES = MESSAGES / "later", MESSAGES / "pages"
LANGUAGES = ("de", "fr", "es")
OTHER_PAGES = ("judge", "overlay", "identity", "corners", "measure", "setup", "projector")
_PLACES = re.compile(r"\{([a-z]\w*)(?:\}|, (plural|select))")


def messages(language: str, folder: Path = MESSAGES) -> dict[str, str]:
    return dict(json.loads((folder / f"{language}.json").read_text(encoding="utf-8")))


def phrases(language: str) -> dict[str, str]:
    return messages(f"phrases.{language}")


def places(message: str) -> set[tuple[str, str]]:
    """What is to be filled in, and how it is chosen by."""
    return {(name, how) for name, how in _PLACES.findall(message) if name != "other"}


@pytest.mark.parametrize("folder", [MESSAGES, LATER, PAGES, HALL], ids=["player", "later", "pages", "hall"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_there_in_every_language_and_fills_in_the_same(language: str, folder: Path) -> None:
    english, other = messages("en", folder), messages(language, folder)

    assert other.keys() == english.keys()
    assert [key for key in english if places(english[key]) != places(other[key])] == []
    assert [key for key, message in other.items() if not message.strip()] == []


@pytest.mark.parametrize("folder", [MESSAGES, LATER, PAGES, HALL], ids=["player", "later", "pages", "hall"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plural_has_every_form_that_english_has(language: str, folder: Path) -> None:
    english, other = messages("en", folder), messages(language, folder)
    forms = re.compile(r"(=\d+|one|other|template) \{")

    counted = [key for key, message in english.items() if "plural" in message or "select" in message]
    assert [key for key in counted if sorted(forms.findall(english[key])) != sorted(forms.findall(other[key]))] == []


def test_every_message_is_said_somewhere_and_none_is_missing() -> None:
    sources = [path.read_text(encoding="utf-8") for path in WEB.rglob("*.ts")]
    known = messages("en").keys() | messages("en", LATER).keys()
    said = {key for source in sources for key in re.findall(r'\btext\("([^"]+)"', source)}
    said |= {key for source in sources for key in re.findall(r"\bSAY\.(\w+)", source)} & known
    for source in sources:
        for of, keys in re.findall(r'\bwords\("(\w+)", (\[[^\]]*\])', source):
            said |= {f"{of}.{key}" for key in json.loads(keys)}

    assert said == known
    assert not messages("en").keys() & messages("en", LATER).keys()


def test_what_the_first_look_needs_is_there_with_it() -> None:
    """A message of `later` is known only once something is shown that was loaded later."""
    told = (WEB / "shared" / "strings.ts").read_text(encoding="utf-8")
    late = messages("en", LATER).keys()
    heads = {head for key in late for head in [key.split(".")[0]]}
    filled_in = {name: keys for name, *keys in re.findall(r'^  (\w+):.*?(?:text|words)\("([\w.-]+)"', told, re.M)}
    first = {name for path in first_modules() for name in re.findall(r"\bSAY\.(\w+)", path.read_text("utf-8"))}

    assert sorted(name for name in first if name in late or heads & {*filled_in.get(name, ())}) == []


def first_modules() -> set[Path]:
    """The player's page as it is loaded first: what `main.ts` imports, and what that does."""
    found, todo = set[Path](), [WEB / "player" / "main.ts"]
    while todo:
        path = todo.pop()
        found.add(path)
        named = re.findall(r'^import (?!type\b)[^"]*"(\.[^"]+)"', path.read_text(encoding="utf-8"), re.M)
        beside = {(path.parent / f"{name}.ts").resolve() for name in named}
        todo += [one for one in beside if one.exists() and one not in found and one.name != "strings.ts"]
    return found


def said_by(page: str, known: dict[str, str]) -> set[str]:
    """The messages that the code of this page names: in a string, among some of one head, or by a name under a head."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (WEB / page).rglob("*.ts"))
    said = {key for key in re.findall(r'"([^"\n]*)"', sources) if key in known}
    for of, keys in re.findall(r'\bamong\("([\w.]+)", (\[[^\]]*\])', sources):
        said |= {f"{of}.{key}" for key in json.loads(keys)}
    heads = dict(re.findall(r'export const (\w+) = under\("([\w.]+)"', sources)) or {"words": ""}
    for alias, head in heads.items():
        chains = re.findall(rf"\b{alias}\.((?:\w+\.)?\w+)", sources)
        said |= {".".join(filter(None, (head, chain))) for chain in chains}
    return said


def test_every_message_of_the_hall_is_said_somewhere() -> None:
    known = messages("en", HALL)

    assert {*known} - said_by("hall", known) == {"noAnswer", "unreachable"}  # shared/problem.ts says these


@pytest.mark.parametrize("folder", ["shared", "hall"])
def test_no_text_of_the_page_stands_in_the_code(folder: str) -> None:
    source = (WEB / folder / "strings.ts").read_text(encoding="utf-8")

    assert re.findall(r"""(?::|=>|\?) *(?:"[^"]*"|`[^`]*`)""", source) == []


def literals(page: str) -> list[str]:
    """Every string in the words of this page, but what is imported from where."""
    source = (WEB / page / "strings.ts").read_text(encoding="utf-8")
    return re.findall(r'"([^"\n]*)"', re.sub(r"(?m)^import .*$|/\*.*?\*/", "", source))


def test_every_message_of_the_other_pages_is_said_by_one_of_them() -> None:
    """That none is missing is a matter of types."""
    known = messages("en", PAGES)

    assert {*known} - {one for page in OTHER_PAGES for one in said_by(page, known)} == set()


@pytest.mark.parametrize("page", OTHER_PAGES)
def test_the_words_of_the_other_pages_stand_in_no_code(page: str) -> None:
    """What stays are names of books, sizes, and the paths of icons."""
    kept = re.compile(r"[A-Z]+ (Mk II|Prime)|\d+ × \d+(″| ft)|M\d.*")
    source = (WEB / page / "strings.ts").read_text(encoding="utf-8")

    assert [one for one in literals(page) if (" " in one or one[:1].isupper()) and not kept.fullmatch(one)] == []
    assert "`" not in source


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_server_says_of_a_pair_has_its_phrase(language: str) -> None:
    known = phrases(language)

    assert sorted(said for said in said_by_server() if said not in known) == []
    assert [said for said, other in known.items() if places(said) != places(other)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_server_says_of_steps_and_rulings_has_its_phrase(language: str) -> None:
    alone = {"edition", "name"}  # said by what they are set to
    told = {name for of in (MiniatureCorrection, TableCorrection) for name in of.model_fields} - {
        "do",
        "ids",
        "seen_mm",
    }
    heads = {"Table", "On the table", "Off the table", "The table is complete", "Rolled", *DECISION_WORDS.values()}
    fields = {name.removesuffix("_deg").replace("_", " ") for name in told - alone}

    assert sorted((heads | fields) - phrases(language).keys()) == []


def said_by_server() -> set[str]:
    """Titles, answers and notes of all lines, and the advice of each book on what is too close, as patterns."""
    lines = [*_lines_of_miniatures(), *_lines_of_units()]
    said = {text.split(": ")[0] for line in lines for text in (line.title, line.yes, line.no)}
    said |= {*answer_line.CLAUSE_WORDS.values(), *(edition.too_close for edition in EDITIONS.values())}
    said |= {"Set facing", "Too close", "Cannot tell", "Not now", "Not in front", "12 may", "+2 to hit"}
    said |= {"Move", "March", "Legal", "Not legal", "Free strikes", "Struck", "None", "Odds to reach it", "Flight"}
    return {_pattern_of(one) for one in said}


def _lines_of_miniatures() -> list[answer_line.QuestionLine]:
    """Every line that a sheet of two miniatures may have: friends and enemies who carry everything."""
    arms = {"location": "left", "rules": ["shield"]}
    card = {
        "spd_in": 5, "cmd_in": 8, "control_stat": 6,
        "melee": [{"name": "Fist", "reach_in": 1} | arms, {"name": "Claw", "reach_in": 1, "location": "right"}],
        "ranged": [{"name": "Gun", "rng_in": 10}],
    }  # fmt: skip
    found: list[answer_line.QuestionLine] = []
    for sides in (("red", "blue"), ("red", "red")):
        a, b = (
            mini(id_, x, 300, side=side, mm=120, profile=card, abilities=["stealth"])
            for id_, x, side in zip("ab", (300, 500), sides, strict=True)
        )
        unit = {"id": "u", "side": "red"}
        state = table(a | {"unit": "u"}, b | {"unit": "u"}, units=[unit]) if sides[0] == sides[1] else table(a, b)
        one, other = state.miniatures
        both = PairView(one, other, charge_extra_mm=76.2)
        unarmed = replace(both, me=mini_without_gun(one))
        found += [*pair_questions(state, both), *pair_questions(state, unarmed)]
    return found


def mini_without_gun(miniature: Miniature) -> Miniature:
    card = miniature.profile.model_dump() | {"ranged": ()}
    return Miniature.model_validate(miniature.model_dump() | {"profile": card})


def _lines_of_units() -> list[answer_line.QuestionLine]:
    state = TableState.model_validate_json((ROOT / "tests" / "api" / "states" / "regiments.json").read_bytes())
    ids = [unit.id for unit in state.units]
    return [line for a, b in permutations(ids, 2) for line in unit_questions(UnitPairView(state, a, b), range_in=10)]


def _pattern_of(said: str) -> str:
    """As the page looks it up: letters and numbers by the order in which they come."""
    letters: list[str] = []
    numbers = iter("nmk")

    def place(found: re.Match[str]) -> str:
        if found[0] not in ("A", "B"):
            return f"{{{next(numbers)}}}"
        letters.extend({found[0]} - {*letters})
        return "{x}" if letters[0] == found[0] else "{y}"

    return re.sub(r"\b[AB]\b|[+\u2212-]?\d+(?:\.\d+)?", place, said)
