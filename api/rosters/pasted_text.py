"""Pasted text: a list as New Recruit, the app of Games Workshop and Old World Builder print it.

A unit is a line that ends with points; a bullet below it is a group of its models where it has bullets or options of
its own, or where the numbers of the bullets add up to the number before the unit. Other bullets are options.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from api.errors import BadRoster
from api.rosters.base_sizes import edition_of, read_base_size
from api.rosters.file_opening import limit_units
from models.frozen import Frozen
from models.roster import Remark, RosterCounts, RosterList, RosterModel, RosterQuestion, RosterUnit

MOST_IN_A_LINE = 200  # a count; no unit that is played has as many
LEAST_UNDERSTOOD = 0.9
_SHOWN = 5
_NUMBER = r"\d[\d.,'’ ]*"
_WORD = r"(?:pts?|points?|punkte?|pkte?|pkt|puntos?|punti|punkty|punktów|ptos?|pc|pv|gold|gp)\b\.?"
PRICE = rf"[\[(]\s*{_NUMBER}(?:{_WORD})?\s*[\])]"
"""Brackets with a number in them, as `(1,995 Points)`, `[120pts]` and `(90)`."""
_BARE_PRICE = re.compile(rf"(?i)(?:\b(?:pc|points?|pts|cost)\s*:\s*\d+|(?:^|[\s\[(@])[+-]?{_NUMBER}{_WORD})")
_FRAME = re.compile(
    r"""(?ix) ^\W* (?:
        (?:(?:sub|grand\s|army\s)?totals?|gesamt|somme|totale|razem|suma)\b (?:.*\d.*|\W*)
        | (?:points?|pts|punkte|puntos|punti|punkty|pkt|pc)\b [\s:=/\d.,'-]*
        | (?:generated|build\ id|theme|drops|casting\ pool|exported|created\ (?:with|by|in)|app(?:\ version)?
           |data\ version|version|valid|faction|army\ name|player|event|grand\ alliance|game|detachment) \s*: .*
        | (?:exported|created)\ (?:with|by|from|in)\b .*
        | (?:https?://|www\.)\S* | \W*
    ) $"""
)
_LEADERS = re.compile(r"(?i)^\W*(?:.*\b(?:regiment|régiment|regimiento|reggimento)\b.*)$")
_LINE = re.compile(r"^(?:(\d{1,6})\s*[x×]?\s+)?([^,]+?)\s*(?:,\s*(.*))?$")
_SIZE = re.compile(r"(?i)(?:\d|[\s.x×*/()–-]|mm|bases?|round|square|oval|or|to|by)+")


def has_price(text: str) -> bool:
    """Whether points stand in it: then its number is neither a count nor a size."""
    return _BARE_PRICE.search(text) is not None or re.search(rf"(?i){PRICE}", text) is not None


def price_of(text: str) -> int | None:
    """The points in brackets; None where there are none or no whole number."""
    digits = re.sub(r"\D", "", re.sub(r"[.,]\d{1,2}\D*$", "", text))
    return int(digits) if digits and len(digits) < 7 else None


def is_frame(line: str) -> bool:
    """A total, a header, a footer, a link, a rule across the page: no unit, whatever else the line holds."""
    return _FRAME.match(line.strip()) is not None


def ask_about_lines(doubtful: Collection[str], lines: int, *, hint: str) -> tuple[RosterQuestion, ...]:
    """One question where less than nine in ten lines were understood; it names the first that were not."""
    understood = 1 - len(doubtful) / max(1, lines)
    if understood >= LEAST_UNDERSTOOD:
        return ()
    shown = "; ".join(f"“{line.strip()[:60]}”" for line in list(doubtful)[:_SHOWN])
    more = f", and {len(doubtful) - _SHOWN} more" if len(doubtful) > _SHOWN else ""
    says = (
        f"{100 * understood:.0f} % of {lines} lines are understood. These are not: {shown}{more}. Mend them, or {hint}."
    )
    return (RosterQuestion(where="list", asks="lines", says=says),)


def ask_about_points(totals: Sequence[int], sums: Sequence[int]) -> tuple[RosterQuestion, ...]:
    """One question where the units cost neither of these sums together; none where the list says no total."""
    if not totals or (len(set(totals)) == 1 and totals[0] in sums):
        return ()
    said = " and ".join(map(str, dict.fromkeys(totals)))
    says = f"The list says {said} points, and its units add up to {sums[0]}: is it whole?"
    return (RosterQuestion(where="list", asks="points", says=says),)


_UNIT = re.compile(rf"(?i)^(?:[a-z]+\d*:\s+)?(?:(\d+)\s*[x×]?\s+)?(.+?)\s*({PRICE})\s*(?::\s*(.*))?$")
_BULLET = re.compile(r"^(\s*)(?:[•◦▪‣∙·*+-]|\.(?=\s))\s*(?:(\d+)\s*([x×])?\s+)?(.*)$")
_COUNT_IN_NAME = re.compile(
    r"(?i)^(.+?)\s*(?:\[(\d+)\]|\((\d+)\s+(?:models?|modelle?|modelos?|modelli|modèles?|figurines?)\))$"
)
_COUNTED = re.compile(r"^(\d+)\s*[x×]\s+([^:(]+)")
_HEADING = re.compile(r"^(?:#|\+|=|---)")
_SECTION = re.compile(r"^(?:\+\+? |## |[A-Z][A-Z &'-]{3,}$)")
_GAMES = re.compile(
    r"(warhammer[^,\])]*|age of sigmar[^,\])]*|warmachine[^,\])]*|hordes[^,\])]*|the old world)", re.IGNORECASE
)


class _Bullet(Frozen):
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
    return any(_UNIT.match(line) for line in _lines(text) if not _HEADING.match(line))


def read_pasted_text(text: str, *, name: str) -> RosterList:
    """The list in this text. Raises: BadRoster when no unit is in it."""
    remarks: list[Remark] = []
    game = next((match[1].strip() for line in text.splitlines() if (match := _GAMES.search(line))), None)
    entries = limit_units(_entries(text, remarks), name)
    unread = [remark.text for remark in remarks]
    questions: list[RosterQuestion] = []
    is_app_without_counts = game is not None and "age of sigmar" in game.lower()
    units = []
    for entry in entries:
        units.append(unit := _read_unit(entry, remarks))
        is_open = is_app_without_counts and entry.count is None and not entry.is_leader
        if is_open and [model.name for model in unit.models] == [entry.name]:
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
        remarks=tuple(remarks),
        questions=(
            *questions,
            *ask_about_lines(unread, len(list(filter(str.strip, _lines(text)))), hint="export the list again"),
            *ask_about_points(_totals(text), (sum(entry.price for entry in entries),)),
        ),
    )


def _totals(text: str) -> list[int]:
    """What the list says that its units cost together, where it says so in a line of its own."""
    totals = [line for line in _lines(text) if "total" in line.lower() and _HEADING.match(line.strip())]
    prices = [re.search(f"(?i){PRICE}", line) for line in totals]
    return [price_of(price[0]) or 0 for price in prices if price is not None]


def _title(text: str) -> str | None:
    first = next((line.strip("# ") for line in _lines(text) if line.strip("=+#- ")), "")
    match = _UNIT.match(first)
    return match[2][:80] if match is not None and _SECTION.match(first) is None and not match[1] else None


def _lines(text: str) -> list[str]:
    """Without the marks of a text that was formatted for a chat."""
    return [line.replace("\xa0", " ").replace("**", "").rstrip() for line in text.splitlines()]


def _entries(text: str, remarks: list[Remark]) -> Iterator[_Entry]:
    """Units with their bullets, from the first section on."""
    lines = _lines(text)
    starts = [i for i, line in enumerate(lines) if _is_unit(line)]
    section = next((i for i, line in enumerate(lines) if _SECTION.match(line)), -1)
    if any(i > section for i in starts):  # before it stand the title and the size of the game, with points of their own
        starts = [i for i in starts if i > section]
    elif len(starts) > 1 and starts[0] == next((i for i, line in enumerate(lines) if line.strip()), -1):
        starts = starts[1:]
    for i, begin in enumerate(starts):
        end = starts[i + 1] if i + 1 < len(starts) else len(lines)
        match = _UNIT.match(lines[begin].lstrip("# "))
        assert match is not None
        bullets = []
        for line in lines[begin + 1 : end]:
            bullet = _BULLET.match(line)
            if bullet is not None and not _HEADING.match(line.strip()):
                indent, count, cross, rest = bullet.groups()
                bullets.append(
                    _Bullet(
                        depth=len(indent),
                        count=int(count or 1),
                        has_cross=bool(cross),
                        is_dot=line.lstrip().startswith("."),
                        text=rest.strip(),
                    )
                )
            elif line.strip() and not _is_known(line):
                remarks.append(Remark(where=match[2], text=line.strip()[:120], why="no unit, no option"))
        name, count = _split_count(match[2], match[1])
        above = next((line for line in reversed(lines[:begin]) if line.strip()), "")
        yield _Entry(
            count=count, name=name, options=match[4] or "", price=price_of(match[3]) or 0,
            is_leader=_LEADERS.match(above) is not None and not _is_unit(above), bullets=tuple(bullets),
        )  # fmt: skip


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
    return match is not None and (_split_count(match[2], match[1])[1] or 1) <= MOST_IN_A_LINE


def _is_known(line: str) -> bool:
    """A heading, a rule across the page, or what the app says of itself."""
    written = line.strip().lower()
    return bool(_HEADING.match(written)) or is_frame(written) or line.strip().isupper() or written.startswith(
        ("exported", "created with", "data version", "app version", "[http", "special rules", "regiment", "auxiliary",
         "strike force", "incursion", "onslaught")
    )  # fmt: skip


def _read_unit(entry: _Entry, remarks: list[Remark]) -> RosterUnit:
    models = _models_below(entry)
    if not models:
        models = [_inline_model(entry)]
        top = min((bullet.depth for bullet in entry.bullets), default=0)
        remarks += _doubtful_options(entry, [bullet for bullet in entry.bullets if bullet.depth == top])
    elif entry.count is not None and entry.count > 1 and entry.count != sum(model.count for model in models):
        why = f"the models below it are {sum(model.count for model in models)}"
        remarks.append(Remark(where=entry.name, text=f"{entry.count} in the unit", why=why))
    return RosterUnit(name=entry.name, models=tuple(models))


def _models_below(entry: _Entry) -> list[RosterModel]:
    """The models of the bullets; none where they are all options."""
    top = min((bullet.depth for bullet in entry.bullets), default=0)
    groups = [bullet for bullet in entry.bullets if bullet.depth == top]
    pairs = pairwise(entry.bullets)
    parents = {id(bullet) for bullet, after in pairs if after.depth > bullet.depth}
    has_parents = any(id(bullet) in parents for bullet in groups)
    is_counted = entry.count is not None and sum(bullet.count for bullet in groups if bullet.has_cross) == entry.count
    has_colon = any(":" in bullet.text and bullet.has_cross for bullet in groups)
    if not (has_parents or is_counted or has_colon):
        return []
    return [
        RosterModel(name=_plain_name(bullet.text), count=min(bullet.count, MOST_IN_A_LINE))
        for bullet in groups
        if id(bullet) in parents
        or (bullet.has_cross and (is_counted or ":" in bullet.text))
        or (has_colon and bullet.is_dot and ":" in bullet.text)
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


def read_typed_lines(text: str, *, name: str) -> RosterList:
    """A list as `3 Trencher, red, 30`; side and size may be left out, and so may the number where others have one.

    Raises: BadRoster when no line is a miniature.
    """
    units: list[RosterUnit] = []
    remarks: list[Remark] = []
    doubtful: list[str] = []
    written = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    for number, line in written:
        match = _LINE.match(line)
        if why := _why_no_unit(line, match):
            remarks.append(Remark(where=f"line {number}", text=line[:120], why=why))
            doubtful += [line] * (not is_frame(line))
        elif match is not None:
            units.append(_read_typed_unit(match, remarks))
            doubtful += [line] * (has_price(line) or (match[1] is None and match[3] is None))
    if not units:
        raise BadRoster("No line of this text names a miniature.", field="file", value=name)
    return RosterList(
        format="lines", units=tuple(units), remarks=tuple(remarks),
        questions=ask_about_lines(doubtful, len(written), hint="begin each line with a number, as “1 Name, side, 30”"),
    )  # fmt: skip


def _why_no_unit(line: str, match: re.Match[str] | None) -> str | None:
    if match is None or len(line) > 200 or not any(ch.isalpha() for ch in match[2]):
        return "no count and name"
    if is_frame(line):
        return "a title, a total or a footer"
    if (match[1] is not None and match[2][0] in "-–—:;|/") or re.match(r"\d+\s*[:;|]", match[2]):
        return "a number that may be points"
    if sum(any(ch.isdigit() for ch in part) for part in (match[3] or "").split(",")) > 1:
        return "several numbers: which is the count, which the size?"
    if match[1] is not None and not 1 <= int(match[1]) <= MOST_IN_A_LINE:
        return "no unit has so many" if int(match[1]) else "none of them"
    return "points, and no count" if match[1] is not None and has_price(f"{match[1]} {match[2]}") else None


def _read_typed_unit(match: re.Match[str], remarks: list[Remark]) -> RosterUnit:
    columns = [part.strip() for part in (match[3] or "").split(",") if any(ch.isdigit() for ch in part)]
    sizes = [column for column in columns if _SIZE.fullmatch(column)]
    read = read_base_size(sizes[-1]) if sizes else None
    if read is not None and read.why is not None:
        remarks.append(Remark(where=match[2], text=f"base {sizes[-1]}", why=read.why))
    remarks += [
        Remark(where=match[2], text=column[:120], why="points, or no size of a base")
        for column in columns
        if column not in sizes
    ]
    model = RosterModel(name=match[2][:80], count=int(match[1] or 1), base=None if read is None else read.base)
    return RosterUnit(name=match[2][:80], models=(model,))
