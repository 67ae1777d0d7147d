"""Pasted text: a list as New Recruit, the app of Games Workshop and Old World Builder print it.

A unit is a line that ends with points; a bullet below it is a group of its models where it has bullets or options of
its own, or where the numbers of the bullets add up to the number before the unit. Other bullets are options.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from api.errors import BadRoster
from api.rosters.game_names import edition_of
from models.frozen import Frozen
from models.roster import Remark, RosterCounts, RosterList, RosterModel, RosterUnit

_POINTS = r"[\[(]\s*[\d.,']+\s*(?:pts?|points?|punkte|puntos)?\s*[\])]"
_UNIT = re.compile(rf"^(?:[A-Za-z]+\d*:\s+)?(?:(\d+)\s*[x×]?\s+)?(.+?)\s*{_POINTS}\s*(?::\s*(.*))?$")
_BULLET = re.compile(r"^(\s*)[•◦▪‣∙·*+-]\s*(?:(\d+)\s*([x×])?\s+)?(.*)$")
_HEADING = re.compile(r"^(?:#|\+|=|---)")
_SECTION = re.compile(r"^(?:\+\+? |## |[A-Z][A-Z &'-]{3,}$)")
_GAMES = re.compile(
    r"(warhammer[^,\])]*|age of sigmar[^,\])]*|warmachine[^,\])]*|hordes[^,\])]*|the old world)", re.IGNORECASE
)


class _Bullet(Frozen):
    depth: int
    count: int
    has_cross: bool
    text: str


class _Entry(Frozen):
    count: int | None
    name: str
    options: str
    bullets: tuple[_Bullet, ...] = ()


def is_pasted_text(text: str) -> bool:
    """Whether some line is a unit with its points."""
    return any(_UNIT.match(line) for line in _lines(text) if not _HEADING.match(line))


def read_pasted_text(text: str, *, name: str) -> RosterList:
    """The list in this text. Raises: BadRoster when no unit is in it."""
    remarks: list[Remark] = []
    game = next((match[1].strip() for line in text.splitlines() if (match := _GAMES.search(line))), None)
    entries = list(_entries(text, remarks))
    units = [_read_unit(entry, remarks) for entry in entries]
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
    )


def _title(text: str) -> str | None:
    """The first line, where it is no section and no rule across the page: the name of the list, without its points."""
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
                    _Bullet(depth=len(indent), count=int(count or 1), has_cross=bool(cross), text=rest.strip())
                )
            elif line.strip() and not _is_known(line):
                remarks.append(Remark(where=match[2], text=line.strip()[:120], why="no unit, no option"))
        count = int(match[1]) if match[1] else None
        yield _Entry(count=count, name=match[2], options=match[3] or "", bullets=tuple(bullets))


def _is_unit(line: str) -> bool:
    bare = line.lstrip("# ") if line.startswith("###") else line
    if _HEADING.match(bare) or _BULLET.match(bare) or "limit" in bare.lower():
        return False
    return _UNIT.match(bare) is not None


def _is_known(line: str) -> bool:
    """A heading, a rule across the page, or what the app says of itself."""
    written = line.strip().lower()
    return bool(_HEADING.match(written)) or written.isupper() or line.strip().isupper() or written.startswith(
        ("exported", "created with", "data version", "app version", "[http", "special rules", "regiment", "auxiliary",
         "strike force", "incursion", "onslaught")
    )  # fmt: skip


def _read_unit(entry: _Entry, remarks: list[Remark]) -> RosterUnit:
    top = min((bullet.depth for bullet in entry.bullets), default=0)
    groups = [bullet for bullet in entry.bullets if bullet.depth == top]
    pairs = pairwise(entry.bullets)
    parents = {id(bullet) for bullet, after in pairs if after.depth > bullet.depth}
    has_parents = any(id(bullet) in parents for bullet in groups)
    is_counted = entry.count is not None and sum(bullet.count for bullet in groups if bullet.has_cross) == entry.count
    models: list[RosterModel] = []
    if has_parents or is_counted or any(":" in bullet.text and bullet.has_cross for bullet in groups):
        for bullet in groups:
            if id(bullet) in parents or (bullet.has_cross and (is_counted or ":" in bullet.text)):
                models.append(RosterModel(name=_plain_name(bullet.text), count=bullet.count))
    if not models:
        models = [RosterModel(name=entry.name, count=entry.count or 1)]
        remarks += _doubtful_options(entry, groups)
    elif entry.count is not None and entry.count > 1 and entry.count != sum(model.count for model in models):
        why = f"the models below it are {sum(model.count for model in models)}"
        remarks.append(Remark(where=entry.name, text=f"{entry.count} in the unit", why=why))
    return RosterUnit(name=entry.name, models=tuple(models))


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
