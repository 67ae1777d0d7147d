"""The page of an edition: every question it answers, what decides it, where it stands, and an example drawn.

The examples are the tables that hold the rules in the tests: one place, worked by hand.
"""

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from models.house_rules import HOUSE_RULES, OPEN_SETTINGS, PRESET_KEY, PRESETS
from models.house_rules.house_rule import HouseRule
from models.parsing import parse_query
from models.queries import QUERY_CLASSES, BaseQuery
from models.verdict import Reason, Verdict
from models.vocabulary import OPEN_EDITION, EditionId
from referee import EDITIONS, ask
from referee.rules.edition import Edition
from referee.rules.exact_table import ExactTable
from referee.rules.turn_ledger import Bar
from referee.verdicts.svg import draw
from scripts.house_rule_usage import readings_of, terms_of
from tests.referee.scenario import Scenario
from tests.referee.scenarios import groups, open_edition
from tests.referee.scenarios.first import book as errata
from tests.referee.scenarios.hordes import book as hordes
from tests.referee.scenarios.warhammer import book as warhammer

# The table that shows a question best, where it is not the first with a yes.
_SHOWN = {"los": ("los", "no")}
_HEAD = """\
# {book}

<!-- Written by scripts/docs_editions.py from the questions, the rules and the tests' tables; run `make pages`. -->

What Tableside answers under this book, what decides each question, and its source. Lengths are millimetres and inches;
a margin is what is to spare (+) or missing (−). [The page of questions](../queries.md) explains each field.

**The pictures** show the table from above; the short stroke on a base is its facing. A deciding line is green and solid
where it is clear or met, red and dashed where it is blocked or missed, grey and dotted where it measures or shows a
limit; violet is the line between front and back, black a path or a mere pointer. What blocks a line is outlined in red.
Of several candidates those that count have a green rim. Below stands the answer with its margin, and a bar an inch
long.
"""
_RULES_HEAD = """
## House rules

Where the book can be read in more than one way, the state's `house_rules` chooses; the first reading is the one used
when nothing is chosen. A verdict names those that mattered, and the readings under which it would be another.

| house rule | in doubt | readings |
|---|---|---|
"""


_SETTINGS_HEAD = """
## Settings

What a game decides is chosen once for a table, in the state's `house_rules`. A verdict names the settings that decided.

| setting | what it decides | choices | default |
|---|---|---|---|
"""
_PRESETS_HEAD = """
## Presets

`open-preset` chooses several settings at once; whatever a table chooses besides outweighs it.

| preset | what it is for | what it chooses |
|---|---|---|"""
_TERMS_HEAD = """
## Terms

The rules that are named again from {book} look these up, which this book sets otherwise.

| term | what it answers | here |
|---|---|---|"""


_WRITTEN_FOR: dict[str, EditionId] = {
    "warmachine": "warmachine-prime",  # the chapters of the family, that the older books cite their own sections for
    "prime": "warmachine-prime",
    "hordes_mk2": "hordes-mk2",
    "mk1_and_mk2": "hordes-mk2",  # which are written in the words of HORDES
    "mk1": "warmachine-mk1",
    "warhammer_9": "warhammer-9",
    "open": "open",
}
"""The edition whose words and pages the rules of a folder of `referee/editions` are written in."""

SCENARIOS = {
    "warmachine-prime": groups.SCENARIOS,
    "hordes-mk2": hordes.SCENARIOS,
    "warmachine-mk1": errata.SCENARIOS,
    "warhammer-9": warhammer.SCENARIOS,
    "open": open_edition.SCENARIOS,
}


def edition_pages() -> dict[str, str]:
    """Pages and pictures of every edition that has tables of its own in the tests."""
    pages: dict[str, str] = {}
    for edition in EDITIONS.values():
        if edition.id in SCENARIOS:
            pages |= edition_page(edition, SCENARIOS[edition.id])
    return pages


def edition_page(edition: Edition, scenarios: Sequence[Scenario]) -> dict[str, str]:
    """The page of an edition and its pictures: file name and text of each, below docs/."""
    folder = f"editions/{edition.id}"
    order = [cls.__module__ for cls in QUERY_CLASSES]
    classes = sorted(edition.rules, key=lambda cls: (order.index(cls.__module__), QUERY_CLASSES.index(cls)))
    lines = [_HEAD.format(book=edition.book)]
    for module, group in groupby(classes, key=lambda cls: cls.__module__):
        lines.append(f"\n## {(sys.modules[module].__doc__ or '').splitlines()[0].rstrip('.')}")
        for cls in group:
            lines += _question(edition, cls, scenarios)
    lines += _terms(edition)
    lines.append("\n".join((_settings if edition.id == OPEN_EDITION else _house_rules)(edition)) + "\n")
    pictures = {f"{folder}/{_kind(cls)}.svg": _picture(cls, scenarios) for cls in classes}
    return {f"{folder}.md": "\n".join(lines)} | {name: drawn for name, drawn in pictures.items() if drawn}


def _kind(cls: type[BaseQuery]) -> str:
    return str(cls.model_fields["kind"].default)


def _question(edition: Edition, cls: type[BaseQuery], scenarios: Sequence[Scenario]) -> Iterator[str]:
    yield f"\n### `{_kind(cls)}`: {cls.title()}\n"
    yield f"{' '.join((cls.__doc__ or '').partition(chr(10))[2].split())}\n"
    yield f"- **Fields:** {_fields(cls)}"
    yield f"- **Rule:** {_shared_or_own(edition, cls)}"
    yield f"- **Source:** {_source(edition, cls)}"
    yield f"- **House rules:** {_readings(edition, cls)}"
    own = [s for s in scenarios if s.query["kind"] == _kind(cls)]
    if zero := _zero(edition, cls, own):
        yield f"- **Exactly zero:** {zero}"
    edges = [_limit(s) for s in own if s.side == "edge"]
    yield from (["- **At the limit:**", *edges] if edges else [])
    if shown := _example_scenario(cls, scenarios):
        yield from _example(edition, cls, shown)


def _fields(cls: type[BaseQuery]) -> str:
    fields = {n: f for n, f in cls.model_fields.items() if n not in {"kind", "asked_by"}}
    required = [f"`{name}`" for name, field in fields.items() if field.is_required()]
    optional = [f"`{name}`" for name, field in fields.items() if not field.is_required()]
    told = ", ".join(required)
    return told + (f"{'; ' if told else ''}optional {', '.join(optional)}" if optional else "")


def _source(edition: Edition, cls: type[BaseQuery]) -> str:
    """What the rule itself names, after its `Source:`."""
    text = " ".join((edition.rules[cls].__doc__ or "").split())
    told = text.partition("Source: ")[2] or text
    if (first := _origin_of(edition, cls)) is edition or edition.cite is None:
        return told
    parts = dict.fromkeys(part.strip() for part in told.split(";"))
    return "; ".join(dict.fromkeys(_cite_part(edition, first, part) for part in parts)) + "."


def _cite_part(edition: Edition, first: Edition, part: str) -> str:
    """The section as the book has it; with its book where it is borrowed from another."""
    name, paged = re.subn(r",? p\. [\d, -]+.*", "", part)
    assert edition.cite is not None
    source = edition.cite(Reason(source=first.source(name.strip().rstrip(".")), says="")).source
    is_borrowed = bool(paged and name) and source.book != edition.book
    return f"{source.section} ({source.book})" if is_borrowed else source.section


def _origin_of(edition: Edition, cls: type[BaseQuery]) -> Edition:
    """The edition that the rule was written for."""
    folders = edition.rules[cls].__module__.split(".")[2:-1]
    return EDITIONS[next(_WRITTEN_FOR[name] for name in reversed(folders) if name in _WRITTEN_FOR)]


def _shared_or_own(edition: Edition, cls: type[BaseQuery]) -> str:
    """Whether it has this rule for itself, or shares it; with how the others answer the same question."""
    first = _origin_of(edition, cls)
    others = [o.book for o in EDITIONS.values() if o is not first and cls in o.rules and _origin_of(o, cls) is first]
    if first is not edition:
        own = [name for name in terms_of(edition.rules[cls], edition) if _has_other_term(first, edition, name)]
        named = ", ".join(f"`{name}`" for name in own)
        return f"that of {first.book}" + (f", with [this book's](#terms) {named}" if own else "")
    return "its own" + (f", which {' and '.join(others)} names again" if others else "")


def _has_other_term(first: Edition, edition: Edition, name: str) -> bool:
    return bool(getattr(first.terms, name) != getattr(edition.terms, name))


def _terms(edition: Edition) -> Iterator[str]:
    """What the edition sets otherwise than the one it names rules again from: each term with what it answers."""
    shared = {_origin_of(edition, cls).id: _origin_of(edition, cls) for cls in edition.rules} if edition.terms else {}
    for first in (one for one in shared.values() if one is not edition):
        yield _TERMS_HEAD.format(book=first.book)
        for name, answers in _answers_of(type(edition.terms)):
            if _has_other_term(first, edition, name):
                yield f"| `{name}` | {answers} | {_term(getattr(edition.terms, name))} |"


def _answers_of(family: type) -> Iterator[tuple[str, str]]:
    """Each term with the sentence that stands beside it; one without is told with the one before."""
    body = ast.parse(inspect.getsource(family)).body[0]
    assert isinstance(body, ast.ClassDef)
    said = ""
    for node, after in zip(body.body, [*body.body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            told = after.value if isinstance(after, ast.Expr) else None
            said = str(told.value) if isinstance(told, ast.Constant) else said
            yield node.target.id, " ".join(said.split())


def _term(value: object) -> str:
    """A number or a word as it is; of a rule the first sentence of what it says."""
    if inspect.isfunction(value):
        return " ".join((value.__doc__ or "").partition("Source:")[0].split()) or "a rule"
    if isinstance(value, Mapping):
        told = (key if isinstance(one, Reason) else f"{key}: {_term(one)}" for key, one in value.items())
        return ", ".join(told)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple) and all(isinstance(one, Bar) for one in value):
        return "; ".join(f"{bar.deed} bars {', '.join(sorted(bar.acts))}" for bar in value) or "none"
    if isinstance(value, tuple):
        return " to ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g} mm"
    return ", ".join(map(str, sorted(value))) if isinstance(value, frozenset) else str(value)


def _readings(edition: Edition, cls: type[BaseQuery]) -> str:
    """The house rules a question may turn on; those of sight, which many ask for, by one word."""
    keys = readings_of(edition.rules[cls], edition)
    for seen in (known for known in edition.rules if _kind(known) == "los" and known is not cls):
        through = readings_of(edition.rules[seen], edition)
        if through and set(through) <= set(keys):
            others = [f"`{key}`" for key in keys if key not in through]
            return ", ".join([f"those of [`los`](#los-{_slug(seen)})", *others])
    return ", ".join(f"`{key}`" for key in keys) or "none"


def _slug(cls: type[BaseQuery]) -> str:
    return "".join(c for c in cls.title().lower().replace(" ", "-") if c.isalnum() or c == "-")


def _zero(edition: Edition, cls: type[BaseQuery], own: Sequence[Scenario]) -> str | None:
    """Whether a margin of exactly zero is met, by the rule's own word; None where nothing is decided."""
    for scenario in own:
        result = edition.rules[cls](ExactTable(scenario.state, edition), parse_query(scenario.query))
        if result.status == "decided":
            return "met" if result.zero_is_met else "not met"
    return None


def _limit(scenario: Scenario) -> str:
    """What is found where something is exactly at its limit."""
    verdict = ask(scenario.state, parse_query(scenario.query))
    exactly = f"{scenario.exactly}: " if scenario.exactly else ""
    return f"  - `{scenario.rule}`: {exactly}{scenario.worked}: {_answer_text(verdict)}"


def _answer_text(verdict: Verdict) -> str:
    said = "measured" if verdict.status == "measured" else verdict.status
    chosen = ", ".join(f"`{key}`: {reading}" for key, reading in verdict.house_rules.items())
    return f"**{verdict.answer.value if verdict.answer else said}**" + (f" ({chosen})" if chosen else "")


def _example_scenario(cls: type[BaseQuery], scenarios: Sequence[Scenario]) -> Scenario | None:
    own = [s for s in scenarios if s.query["kind"] == _kind(cls)]
    wanted = _SHOWN.get(_kind(cls), (own[0].rule, "yes") if own else None)
    return next((s for s in own if (s.rule, s.side) == wanted), None)


def _picture(cls: type[BaseQuery], scenarios: Sequence[Scenario]) -> str | None:
    shown = _example_scenario(cls, scenarios)
    return None if shown is None else draw(shown.state, ask(shown.state, parse_query(shown.query)))


def _example(edition: Edition, cls: type[BaseQuery], shown: Scenario) -> Iterator[str]:
    kind = _kind(cls)
    asked = parse_query(shown.query)
    verdict = ask(shown.state, asked)
    yield f"\n![{kind}, an example]({edition.id}/{kind}.svg)\n"
    yield f"Asked `{asked.model_dump_json(exclude_defaults=True, exclude={'asked_by'})}`; by hand: {shown.worked}.\n"
    yield f"Answer: {_answer_text(verdict)}. {' '.join(_reason_text(reason) for reason in verdict.because)}"


def _reason_text(reason: Reason) -> str:
    source = reason.source
    place = source.section if source.page is None else f"{source.section}, p. {source.page}"
    return f"{' '.join(filter(None, (reason.says, reason.effect)))} ({place})"


def _rules_of(edition: Edition) -> list[HouseRule]:
    """Every house rule that some question may turn on."""
    used = {key for rule in edition.rules.values() for key in readings_of(rule, edition)}
    return [rule for key, rule in HOUSE_RULES.items() if key in used and edition.id in rule.defaults]


def _house_rules(edition: Edition) -> Iterator[str]:
    yield _RULES_HEAD + "\n".join(_house_rule(rule, edition) for rule in _rules_of(edition))


def _settings(edition: Edition) -> Iterator[str]:
    """Every setting with what each choice does, and what the presets choose."""
    yield _SETTINGS_HEAD + "\n".join(_setting(rule, edition) for rule in OPEN_SETTINGS if rule.key != PRESET_KEY)
    yield _PRESETS_HEAD
    for name, chosen in PRESETS.items():
        told = ", ".join(f"`{key}`: `{value}`" for key, value in chosen.items()) or "the defaults"
        yield f"| `{name}` | {HOUSE_RULES[PRESET_KEY].means[name]} | {told} |"


def _setting(rule: HouseRule, edition: Edition) -> str:
    default = rule.defaults[edition.id]
    words = [f"`{reading}`: {means}" for reading, means in rule.means.items()]
    told = words if rule.readings else [rule.means["number"]]
    return f"| `{rule.key}` | {rule.doubt} | {'; '.join(told)} | `{default}` |"


def _house_rule(rule: HouseRule, edition: Edition) -> str:
    default = rule.defaults[edition.id]
    others = [reading for reading in rule.readings if reading != default]
    return f"| `{rule.key}` | {rule.doubt} | {', '.join(f'`{reading}`' for reading in (default, *others))} |"
