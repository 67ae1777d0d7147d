"""Pasted text: a list as New Recruit, the app of Games Workshop and Old World Builder print it.

A unit is a line that ends with points; a bullet below it is a group of its models where it has bullets or options of
its own, or where the numbers of the bullets add up to the number before the unit. Other bullets are options.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from api.errors import BadRoster
from api.rosters.base_sizes import edition_of
from api.rosters.conservation import (
    MOST_IN_A_LINE,
    POINTS_WORD,
    PRICE,
    LineLedger,
    ask_about_points,
    is_frame,
    is_name,
    price_of,
)
from api.rosters.file_opening import limit_units
from models.frozen import Frozen
from models.roster import Remark, RosterCounts, RosterList, RosterModel, RosterQuestion, RosterUnit

_UNIT = re.compile(rf"(?i)^(?:[a-z]+\d*:\s+)?(?:(\d+)\s*[x×]?\s+)?(.+?)\s*({PRICE})\s*(?::\s*(.*))?$")
_BULLET = re.compile(r"(?i)^(\s*)(?:[•◦▪‣∙·*+-]|\.(?=\s))\s*(?:(\d+)\s*([x×])?\s+)?(.*)$")
_COUNT_IN_NAME = re.compile(
    r"(?i)^(.+?)\s*(?:\[(\d+)\]|\((\d+)\s+(?:models?|modelle?|modelos?|modelli|modèles?|figurines?)\))$"
)
_COUNTED = re.compile(r"(?i)^(\d+)\s*[x×]\s+([^:(]+)")
_LEADERS = re.compile(r"(?i)^\W*(?:.*\b(?:regiment|régiment|regimiento|reggimento)\b.*)$")
_HEADING = re.compile(r"^(?:#|\+|=|---)")
_SECTION = re.compile(r"^(?:\+\+? |## )")
_TOTAL = re.compile(
    r"(?i)^[+#*= ]*(?:[\w ]*\s)?(?:total|gesamt|totale|razem|suma)\b[^\d:]*:?\s*[\[(]?\s*(\d[\d.,' ]*)\s*"
    rf"{POINTS_WORD}.*$"
)
_SPENT = re.compile(rf"(?i)\b(\d[\d.,]*)\s*/\s*\d[\d.,]*\s*{POINTS_WORD}")
_CHAT_UNIT = re.compile(r"^- (?=.*\[\d+ +[^\W\d]+\.?\]$)")
_OPTION = re.compile(
    r"""(?ix) ^\s* (?:
        \d+ \s (?:with|mit|avec|con|z)\s .* | \s{2,} \d+ [x×] \s .* | -\#\ .* | \( .* \) | \[ [^\]]* \] \s+ \w+\( .*
        | (?:leading|attached\ to|led\ by)\ .* | [^\W\d][^:()\[\]\d]{1,30}: \s .*
    ) $"""
)
_HEADED = re.compile(r"\s*\+\+ .*\[[^\]]+\] \+\+ *(?:\n|$)(?!\s*\n?(?:\d+ )?[^\n+]+\[)")
"""As New Recruit and BattleScribe begin, which end with a total."""
_LEAST_GAME, _GAME_STEP = 500, 250  # points of a game's size
_COUNTED_PROGRAMS = re.compile(
    r"(?i)old.world.builder|exported with|app.version|new ?recruit|battlescribe|faction keyword"
)
"""Programs that print a count wherever a unit is more than one."""
_GAMES = re.compile(
    r"(warhammer[^,\])]*|age of sigmar[^,\])]*|warmachine[^,\])]*|hordes[^,\])]*|the old world)", re.IGNORECASE
)


class _Bullet(Frozen):
    row: int
    depth: int
    count: int
    has_cross: bool
    is_dot: bool
    text: str


class _Entry(Frozen):
    count: int | None
    name: str
    options: str
    price: int
    is_leader: bool
    bullets: tuple[_Bullet, ...] = ()


def is_pasted_text(text: str) -> bool:
    """Whether some line is a unit with its points."""
    return any(_is_unit(line) for line in _lines(text))


def read_pasted_text(text: str, *, name: str) -> RosterList:
    """The list in this text. Raises: BadRoster when no unit is in it."""
    remarks: list[Remark] = []
    ledger = LineLedger(text)
    game = next((match[1].strip() for line in text.splitlines() if (match := _GAMES.search(line))), None)
    entries = limit_units(_entries(text, ledger), name)
    questions: list[RosterQuestion] = []
    is_sigmar = game is not None and "age of sigmar" in game.lower()
    is_app_without_counts = is_sigmar or _COUNTED_PROGRAMS.search(text) is None
    units = []
    for entry in entries:
        groups = _model_bullets(entry)
        for bullet in groups:
            ledger.enter(bullet.row, "model")
        units.append(unit := _read_unit(entry, groups, remarks))
        below = sum(bullet.count for bullet in groups)
        if groups and entry.count is not None and 1 < entry.count != below:
            says = f"{entry.name} says {entry.count} miniatures, and its models are {below}: how many is it?"
            questions.append(RosterQuestion(where=entry.name, asks="count", says=says))
        is_open = is_app_without_counts and entry.count is None and not entry.is_leader
        if is_open and not groups and unit.models[0].may_be_count is None:
            says = f"How many miniatures is {entry.name}? The list does not say."
            questions.append(RosterQuestion(where=entry.name, asks="count", says=says))
        for model in unit.models:
            if model.may_be_count is not None:
                says = f"Is {model.name} {model.count} or {model.may_be_count}?"
                questions.append(RosterQuestion(where=model.name, asks="count", says=says))
    if not units:
        raise BadRoster("No unit with its points stands in this text.", field="file", value=name)
    edition = edition_of(game)
    if edition is None:
        why = "no rulebook of ours: names and counts only"
        remarks.insert(0, Remark(where="list", text=game or "no game named", why=why))
    return RosterList(
        format="text",
        name=_title(text),
        game=game,
        edition=edition,
        units=tuple(units),
        counts=RosterCounts(unit_selections=len(units)),
        remarks=(*remarks, *ledger.remarks()),
        questions=(
            *questions,
            *ledger.questions(),
            *_ask_about_end(entries, ledger),
            *ask_about_points(_totals(text), _sums(entries), is_total_printed=_HEADED.match(text) is not None),
        ),
        lines=ledger.lines(),
    )


def _ask_about_end(entries: list[_Entry], ledger: LineLedger) -> Iterator[RosterQuestion]:
    """Whether the last unit is whole, where the text ends in its models and no count says how many they are."""
    last = entries[-1]
    is_ended = next((line.kind for line in reversed(ledger.lines())), "title") == "title"
    if not is_ended and last.count is None and last.bullets and any(bullet.has_cross for bullet in last.bullets):
        says = f"The text ends in {last.name}: is it whole?"
        yield RosterQuestion(where=last.name, asks="points", says=says)


def _totals(text: str) -> list[int]:
    """What the list says that its units cost together: in a line of its own, else in its first lines."""
    lines = [line.strip() for line in _lines(text) if line.strip()]
    matches = [_TOTAL.match(line) for line in lines]
    if totals := [match for match in matches if match is not None]:
        return [price_of(match[1]) or 0 for match in totals]
    if (spent := next(filter(None, map(_SPENT.search, lines[:3])), None)) is not None:
        return [price_of(spent[1]) or 0]
    first = next((line for line in lines if line.strip("=+#- ")), "")
    match = _UNIT.match(first.strip("#= "))
    is_limit = first.startswith("++")  # the size of the game, as New Recruit and BattleScribe print it
    return [price_of(match[3]) or 0] if match is not None and not is_limit and not match[1] else []


def _sums(entries: list[_Entry]) -> tuple[int, int]:
    """What the units cost together, and with what options of theirs cost, where a program adds these itself."""
    costs = sum(entry.price for entry in entries)
    prices = (re.search(f"(?i){PRICE}", bullet.text) for entry in entries for bullet in entry.bullets)
    return costs, costs + sum(price_of(price[0]) or 0 for price in prices if price is not None)


def _title(text: str) -> str | None:
    """The first line, where it is no section and no rule across the page: the name of the list, without its points."""
    first = next((line.strip("# ") for line in _lines(text) if line.strip("=+#- ")), "")
    match = _UNIT.match(first)
    return match[2][:80] if match is not None and not _is_section(first) and not match[1] else None


def _lines(text: str) -> list[str]:
    """Without the marks of a text that was formatted for a chat."""
    lines = [line.replace("\xa0", " ").replace("**", "").rstrip() for line in text.splitlines()]
    is_small = any(line.lstrip().startswith("-# ") for line in lines)  # as chats print options
    if (is_small or "old-world-builder" in text.lower()) and any(map(_CHAT_UNIT.match, lines)):
        return [_CHAT_UNIT.sub("", line.removeprefix("#") if line.startswith("###") else line) for line in lines]
    return lines


def _is_section(line: str) -> bool:
    bare = line.strip()
    return _SECTION.match(bare) is not None or (len(bare) > 3 and bare.isupper() and not any(map(str.isdigit, bare)))


def _entries(text: str, ledger: LineLedger) -> Iterator[_Entry]:
    """Units with their bullets, from the first section on."""
    lines = _lines(text)
    starts = _unit_starts(lines, ledger)
    for i in range(starts[0] if starts else len(lines)):
        is_bare = not _BULLET.match(lines[i]) and not _has_count(lines[i]) and not _is_unit(lines[i])
        if lines[i].strip() and (is_bare or _is_known(lines[i])):
            ledger.enter(i, "title")
    for i, begin in enumerate(starts):
        end = starts[i + 1] if i + 1 < len(starts) else len(lines)
        match = _UNIT.match(lines[begin].lstrip("# "))
        assert match is not None
        name, count = _split_count(match[2], match[1])
        ledger.enter(begin, "unit")
        above = next((line for line in reversed(lines[:begin]) if line.strip()), "")
        yield _Entry(
            count=count, name=name, options=match[4] or "", price=price_of(match[3]) or 0,
            is_leader=_LEADERS.match(above) is not None and not _is_unit(above),
            bullets=tuple(_read_bullets(lines, range(begin + 1, end), name, ledger)),
        )  # fmt: skip


def _unit_starts(lines: list[str], ledger: LineLedger) -> list[int]:
    """The lines of units; above the first section stand the title and the size of the game, with points too."""
    starts = [i for i, line in enumerate(lines) if _is_unit(line)]
    first = next((i for i, line in enumerate(lines) if line.strip("=+#- ")), -1)
    section = next((i for i, line in enumerate(lines) if _is_section(line)), -1)
    if any(i > section for i in starts):
        titles = [i for i in starts if i <= section]
    else:
        titles = starts[:1] if len(starts) > 1 and starts[0] == first else []
    for i in titles:
        match = _UNIT.match(lines[i].lstrip("# "))
        price = price_of(match[3]) if match is not None else None
        is_size = price is not None and price >= _LEAST_GAME and price % _GAME_STEP == 0
        if i == first or is_size or _is_known(lines[i]):
            ledger.enter(i, "title")
        else:
            ledger.enter(i, "unread", why="a unit above the first heading, or a title")
    return [i for i in starts if i not in titles]


def _read_bullets(lines: list[str], rows: range, name: str, ledger: LineLedger) -> Iterator[_Bullet]:
    """What stands below a unit; each line is entered as an option until it proves to be a model."""
    has_hollow = any(
        lines[row].lstrip().startswith("◦") for row in rows
    )  # these lie below filled ones, however indented
    for row in rows:
        line, bullet = lines[row], _BULLET.match(lines[row])
        if bullet is not None and not _HEADING.match(line.strip()):
            indent, count, cross, rest = bullet.groups()
            is_hollow = line.lstrip().startswith("◦")
            ledger.enter(row, "option")
            yield _Bullet(
                row=row, depth=int(is_hollow) if has_hollow else len(indent) // 2, count=int(count or 1),
                has_cross=bool(cross), is_dot=line.lstrip().startswith("."), text=rest.strip(),
            )  # fmt: skip
        elif _is_known(line):
            ledger.enter(row, "title")
        elif _OPTION.match(line):
            ledger.enter(row, "option")
        elif line.strip():
            ledger.enter(row, "unread", where=name, why="no unit, no option")


def _has_count(line: str) -> bool:
    return re.match(r"\s*\d+\s*[x×]?\s+\D", line) is not None


def _split_count(name: str, before: str | None) -> tuple[str, int | None]:
    """Name and number of a unit, which stands before it, or behind it as in `Pikemen [20]` and `Riders (2 models)`."""
    behind = _COUNT_IN_NAME.match(name)
    if behind is not None and not before:
        name, before = behind[1], behind[2] or behind[3]
    return name, int(before) if before else None


def _is_unit(line: str) -> bool:
    bare = line.lstrip("# ") if line.startswith("###") else line
    if _HEADING.match(bare) or _BULLET.match(bare) or "limit" in bare.lower() or is_frame(bare):
        return False
    match = _UNIT.match(bare)
    if match is None:
        return False
    name, count = _split_count(match[2], match[1])
    return is_name(name) and 1 <= (1 if count is None else count) <= MOST_IN_A_LINE


def _is_known(line: str) -> bool:
    """A heading, a rule across the page, or what the app says of itself."""
    written = line.strip().lower()
    return bool(_HEADING.match(written)) or is_frame(written) or _is_section(line) or written.startswith(
        ("exported", "created with", "data version", "app version", "[http", "special rules", "regiment", "auxiliary",
         "strike force", "incursion", "onslaught")
    )  # fmt: skip


def _read_unit(entry: _Entry, groups: list[_Bullet], remarks: list[Remark]) -> RosterUnit:
    if groups:
        models = [RosterModel(name=_plain_name(bullet.text), count=bullet.count) for bullet in groups]
        return RosterUnit(name=entry.name, models=tuple(models), points=entry.price)
    top = min((bullet.depth for bullet in entry.bullets), default=0)
    remarks += _doubtful_options(entry, [bullet for bullet in entry.bullets if bullet.depth == top])
    return RosterUnit(name=entry.name, models=(_inline_model(entry),), points=entry.price)


def _model_bullets(entry: _Entry) -> list[_Bullet]:
    """The bullets that are models; none where they are all options."""
    top = min((bullet.depth for bullet in entry.bullets), default=0)
    groups = [bullet for bullet in entry.bullets if bullet.depth == top]
    parents = {before.row for before, after in pairwise(entry.bullets) if after.depth > before.depth}
    has_parents = any(bullet.row in parents for bullet in groups)
    is_counted = entry.count is not None and sum(bullet.count for bullet in groups if bullet.has_cross) == entry.count
    has_colon = any(":" in bullet.text and bullet.has_cross for bullet in groups)
    if not (has_parents or is_counted or has_colon):
        return []
    return [
        bullet
        for bullet in groups
        if 1 <= bullet.count <= MOST_IN_A_LINE
        and (
            bullet.row in parents
            or (bullet.has_cross and (is_counted or ":" in bullet.text))
            or (has_colon and bullet.is_dot and ":" in bullet.text)
        )
    ]


def _inline_model(entry: _Entry) -> RosterModel:
    """The unit as one kind of model: as many as it says, or as `16x Marksman` behind its colon does."""
    name, plain = entry.name, RosterModel(name=entry.name, count=entry.count or 1)
    counted = [match for part in entry.options.split(",") if (match := _COUNTED.match(part.strip())) is not None]
    counted = [match for match in counted if 1 < int(match[1]) <= MOST_IN_A_LINE]
    if entry.count is not None or not counted:
        return plain
    match = next((match for match in counted if _head_noun(match[2]) == _head_noun(name)), None)
    if match is None:  # weapons, or models of another name
        return RosterModel(name=name, count=1, may_be_count=int(counted[0][1]))
    is_led = any(word in entry.options.lower() for word in ("champion", "sergeant", "leader"))
    return RosterModel(name=name, count=int(match[1]), may_be_count=int(match[1]) + 1 if is_led else None)


def _head_noun(name: str) -> str:
    """The last word of a name, singular as far as endings tell: of `Marksmen` and `Marksman` the same."""
    word = (name.lower().split() or [""])[-1]
    return word.removesuffix("s").replace("men", "man")


def _doubtful_options(entry: _Entry, groups: list[_Bullet]) -> Iterator[Remark]:
    """Bullets that may be more miniatures: a detachment of Old World Builder, a unit of twice the size."""
    for bullet in groups:
        if bullet.count > 1 and not bullet.has_cross:
            yield Remark(
                where=entry.name, text=f"{bullet.count} {bullet.text}", why="are these miniatures of their own?"
            )
        elif bullet.text.lower().startswith("reinforced"):
            yield Remark(where=entry.name, text=bullet.text, why="how many miniatures is that?")


def _plain_name(text: str) -> str:
    return text.split(":", maxsplit=1)[0].split("[", maxsplit=1)[0].strip() or "unnamed"
