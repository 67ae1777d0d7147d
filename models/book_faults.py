"""Book faults: what the parts of a written book contradict in each other, each with the key that tells it."""

from collections.abc import Iterator
from typing import NamedTuple

from models.house_rules import HOUSE_RULES, OPEN_SETTINGS, PRESET_KEY
from models.written_book import MOST_RANGE_IN, BookAction, DerivedRange, WrittenBook


class BookFault(NamedTuple):
    """The key, the value that stands there, and a sentence."""

    path: tuple[str | int, ...]
    value: object
    says: str


def book_faults(book: WrittenBook) -> Iterator[BookFault]:
    """Every fault that no single key has by itself: unknown names, circles, lengths below nothing, readings unknown."""
    yield from _setting_faults(book)
    yield from _range_faults(book)
    for name, action in book.actions.items():
        yield from _action_faults(book, name, action)
    for k, line in enumerate(book.sheet):
        if isinstance(line.range, str) and line.range not in book.ranges:
            yield BookFault(("sheet", k, "range"), line.range, _no_range(book, line.range))
        if line.action is not None and line.action not in book.actions:
            known = ", ".join(book.actions) or "none"
            yield BookFault(("sheet", k, "action"), line.action, f"there is no action {line.action!r}, only {known}")
    for part in ("texts", "sources"):
        for key in getattr(book, part):
            if key not in book.known_keys():
                yield BookFault((part, key), key, f"{key!r} is no setting, and no range or action of this book")


def _setting_faults(book: WrittenBook) -> Iterator[BookFault]:
    open_keys = {rule.key for rule in OPEN_SETTINGS} - {PRESET_KEY}
    written = book.readings()
    for key, chosen in book.settings.items():
        if key not in open_keys:
            yield BookFault(("settings", key), chosen, f"there is no setting {key!r}")
        elif not HOUSE_RULES[key].allows(written[key]):
            takes = HOUSE_RULES[key].describe_allowed()
            yield BookFault(("settings", key), chosen, f"{key} takes {takes}, not {chosen!r}")


def _range_faults(book: WrittenBook) -> Iterator[BookFault]:
    for name, told in book.ranges.items():
        if not isinstance(told, DerivedRange):
            continue
        if told.same_as not in book.ranges:
            yield BookFault(("ranges", name, "same_as"), told.same_as, _no_range(book, told.same_as))
        elif (circle := _find_circle(book, name)) is not None:
            yield BookFault(("ranges", name, "same_as"), told.same_as, f"these name each other: {' > '.join(circle)}")
        elif _is_whole(book, name) and not 0 <= book.range_in(name) <= MOST_RANGE_IN:
            length_in = book.range_in(name)
            yield BookFault(("ranges", name, "plus"), told.plus, f"{name} would be {length_in:g} inches long")


def _find_circle(book: WrittenBook, name: str) -> list[str] | None:
    """The names from this one back to itself; None when it leads to a length, or into another circle."""
    seen = [name]
    while isinstance(told := book.ranges.get(seen[-1]), DerivedRange):
        if told.same_as == name:
            return [*seen, name]
        if told.same_as in seen:
            return None
        seen.append(told.same_as)
    return None


def _is_whole(book: WrittenBook, name: str) -> bool:
    """Whether a range leads to a length."""
    seen: set[str] = set()
    while isinstance(told := book.ranges.get(name), DerivedRange):
        if name in seen:
            return False
        seen.add(name)
        name = told.same_as
    return name in book.ranges


def _action_faults(book: WrittenBook, name: str, action: BookAction) -> Iterator[BookFault]:
    for field in ("range", "within"):
        told = getattr(action, field)
        if isinstance(told, str) and told not in book.ranges:
            yield BookFault(("actions", name, field), told, _no_range(book, told))


def _no_range(book: WrittenBook, name: str) -> str:
    return f"there is no range {name!r}, only {', '.join(book.ranges) or 'none'}"
