"""Army: a list that was read, with its cards -> the expected miniatures, and the questions that nothing answers."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from api.cards.matching import CardMatch, fold_name, match_card
from api.errors import BadCorrection, UnclearRoster
from api.lists.schemas import LineDoubt, ListAnswer, ListReading
from api.rosters.base_sizes import read_base_size
from api.rosters.line_mends import LineMend, propose_unit, read_mended
from api.setups.schemas import (
    MOST,
    MOST_ALIKE,
    MOST_EXPECTED,
    MOST_LISTS,
    ArmyList,
    ExpectedMiniature,
    ListQuestion,
    Roster,
)
from models.profile import Card, Profile
from models.roster import RosterLine, RosterList, RosterModel, RosterUnit

_MOST_REMARKS = 40


def add_list(
    roster: Roster,
    read: RosterList,
    side: str,
    cards: Sequence[Card],
    *,
    file: str | None = None,
    is_confirmed: bool = False,
) -> Roster:
    """The table with this list for the side, in place of one it had; the other sides stay.

    Raises: BadCorrection when that is more than a table takes, UnclearRoster when too little of the list is understood
    and no player confirmed it.
    """
    others = tuple(miniature for miniature in roster.expected if miniature.side != side)
    kinds = sum(len(unit.models) for unit in read.units)
    _check_number(
        "kinds of miniatures", kinds + len(others), MOST, field="file", value=file
    )  # before all are looked up
    unread = next((question for question in read.questions if question.asks == "lines"), None)
    if unread is not None and not is_confirmed:
        raise UnclearRoster(f"Nothing is laid out: {unread.says}", field="file", value=file)
    if not read.units:
        raise UnclearRoster("Nothing is laid out: no line is a miniature.", field="file", value=file)
    expected, questions = _expect(read, side, cards)
    remarks = tuple(f"{remark.where}: {remark.text} ({remark.why})" for remark in read.remarks)
    remarks = (*(question.says for question in read.questions if question.asks == "points"), *remarks)
    if len(remarks) > _MOST_REMARKS:
        remarks = (*remarks[:_MOST_REMARKS], f"and {len(remarks) - _MOST_REMARKS} more")
    made = ArmyList(
        side=side, name=read.name or file or None, game=read.game, edition=read.edition, miniatures=read.miniatures,
        questions=questions, remarks=remarks,
    )  # fmt: skip
    lists = (*(army for army in roster.lists if army.side != side), made)
    return _make_roster((*others, *expected), lists, field="file", value=file)


def describe_reading(text: str, mends: Sequence[LineMend] = ()) -> ListReading:
    """How the text is read, with the lines that a player should look at. Raises: BadRoster when it is no list."""
    read = read_mended(text, mends)
    doubtful = [line for line in read.lines if line.kind == "unread" or line.is_doubtful]
    sure = read_mended(text, (*mends, *(LineMend(line=line.number) for line in doubtful)))
    unread = sum(line.kind == "unread" for line in doubtful)
    return ListReading(
        says=next((question.says for question in read.questions if question.asks == "lines"), None),
        understood=1 - unread / max(1, len(read.lines)),
        miniatures=sure.miniatures,
        doubts=tuple(_describe_doubt(line) for line in doubtful),
    )


def _describe_doubt(line: RosterLine) -> LineDoubt:
    name, count = propose_unit(line.text)
    return LineDoubt(line=line.number, text=line.text, is_unit=line.kind != "unread", name=name, count=count)


def _make_roster(
    expected: tuple[ExpectedMiniature, ...], lists: tuple[ArmyList, ...], *, field: str, value: str | None
) -> Roster:
    """These lists with the expected miniatures. Raises: BadCorrection when that is more than a table takes."""
    numbers = {"lists": (len(lists), MOST_LISTS), "kinds of miniatures": (len(expected), MOST)}
    numbers["miniatures"] = (sum(miniature.count for miniature in expected), MOST_EXPECTED)
    for what, (number, most) in numbers.items():
        _check_number(what, number, most, field=field, value=value)
    return Roster(expected=expected, lists=lists)


def _check_number(what: str, number: int, most: int, *, field: str, value: str | None) -> None:
    if number > most:
        says = f"That makes {number} {what}; a table takes {most} of all its lists."
        raise BadCorrection(says, field=field, value=value)


def remove_list(roster: Roster, side: str) -> Roster:
    return Roster(
        expected=tuple(entry for entry in roster.expected if entry.side != side or entry.entry is None),
        lists=tuple(army for army in roster.lists if army.side != side),
    )


def answer_question(roster: Roster, answer: ListAnswer, cards: Sequence[Card]) -> Roster:
    """The table with the question answered. Raises: BadCorrection when nobody asks that, or it is no answer."""
    entry = next((entry for entry in roster.expected if entry.entry == answer.entry), None)
    asked = [(question.entry, question.asks) for army in roster.lists for question in army.questions]
    if entry is None or (answer.entry, answer.asks) not in asked:
        raise BadCorrection("Nobody asks that of the lists.", field="entry", value=answer.entry)
    changed = _apply_answer(entry, answer, cards)
    expected = tuple(changed if miniature.entry == answer.entry else miniature for miniature in roster.expected)
    lists = tuple(_settle(army, answer) for army in roster.lists)
    return _make_roster(expected, lists, field="choice", value=answer.choice)


def _apply_answer(entry: ExpectedMiniature, answer: ListAnswer, cards: Sequence[Card]) -> ExpectedMiniature:
    fields = dict(entry)
    if answer.asks == "count":
        if not answer.choice.isdigit() or not 1 <= int(answer.choice) <= MOST_ALIKE:
            raise BadCorrection(f"{answer.choice!r} is no number of miniatures.", field="choice", value=answer.choice)
        fields["count"] = int(answer.choice)
    elif answer.asks == "base":
        read = read_base_size(answer.choice)
        if read.base is None:
            raise BadCorrection(f"{answer.choice!r}: {read.why}.", field="choice", value=answer.choice)
        fields["base"] = read.base
    else:
        card = next((candidate for candidate in cards if answer.choice in (candidate.id, candidate.name)), None)
        if card is None:
            raise BadCorrection(f"There is no card {answer.choice!r}.", field="choice", value=answer.choice)
        fields |= _from_card(card)
    return ExpectedMiniature(**fields)


def _settle(army: ArmyList, answer: ListAnswer) -> ArmyList:
    left = tuple(
        question for question in army.questions if (question.entry, question.asks) != (answer.entry, answer.asks)
    )
    return ArmyList(**{**dict(army), "questions": left})


def _expect(
    read: RosterList, side: str, cards: Sequence[Card]
) -> tuple[tuple[ExpectedMiniature, ...], tuple[ListQuestion, ...]]:
    """Entry by entry; units of one name are told apart by numbers."""
    expected: list[ExpectedMiniature] = []
    questions: list[ListQuestion] = []
    names = Counter(unit.display_name for unit in read.units)
    seen: Counter[str] = Counter()
    for unit in read.units:
        seen[unit.display_name] += 1
        nth = f" {seen[unit.display_name]}" if names[unit.display_name] > 1 else ""
        called = f"{unit.display_name[:70]}{nth}"
        key = f"{side}-{fold_name(called).replace(' ', '-') or 'unit'}-{len(expected)}"
        for number, model in enumerate(unit.models):
            entry = f"{key}-{number}"
            match = match_card(model, unit, cards)
            miniature = _expect_model(model, unit, side, entry, called, key, match, read)
            expected.append(miniature)
            questions += _questions_about(miniature, model, match, read)
    return tuple(expected), tuple(questions)


def _expect_model(
    model: RosterModel,
    unit: RosterUnit,
    side: str,
    entry: str,
    called: str,
    key: str,
    match: CardMatch,
    read: RosterList,
) -> ExpectedMiniature:
    is_alone = unit.count == 1
    listed = model.profile != Profile()
    source = f"the list {read.name or read.game or ''}".strip()[:200]
    profile = Profile(**{**dict(model.profile), "source": source}) if listed else model.profile
    fields: dict[str, Any] = {
        "name": (unit.custom_name or model.name if is_alone else model.name)[:80],
        "side": side, "unit": None if is_alone else key, "unit_name": None if is_alone else called,
        "type": model.type, "role": model.role, "base": model.base, "profile": profile,
        "count": min(MOST_ALIKE, model.count), "entry": entry, "command_in": unit.command_in,
        "card": source if listed else None, "points": unit.points,
    }  # fmt: skip
    if match.card is not None:
        fields |= _from_card(match.card, model)
    return ExpectedMiniature(**fields)


def _from_card(card: Card, model: RosterModel | None = None) -> dict[str, Any]:
    """What the card tells; where it is silent, the list's own holds."""
    fields: dict[str, Any] = {"card": f"{card.name}{f', {card.source}' if card.source else ''}"[:200]}
    if card.profile != Profile():
        fields["profile"] = Profile(**{**dict(card.profile), "source": fields["card"]})
    for field, value in (("base", card.base), ("type", card.type), ("command_in", card.command_in)):
        if value is not None:
            fields[field] = value
    if card.role and not (model is not None and model.role):
        fields["role"] = card.role
    return fields | ({"front_arc_deg": card.front_arc_deg} if card.front_arc_deg is not None else {})


def _questions_about(
    expected: ExpectedMiniature, model: RosterModel, match: CardMatch, read: RosterList
) -> list[ListQuestion]:
    entry = expected.entry or ""
    asked: list[ListQuestion] = []
    if match.candidates:
        names = tuple(card.name for card in match.candidates)
        asked.append(ListQuestion(entry=entry, asks="card", says=f"Which card is {model.name}?", choices=names))
    if model.may_be_count is not None:
        says = f"How many miniatures is {model.name}?"
        numbers = (str(expected.count), str(model.may_be_count))
        asked.append(ListQuestion(entry=entry, asks="count", says=says, choices=numbers))
    elif open_count := next(
        (q for q in read.questions if q.asks == "count" and q.where == model.name and model.count == 1), None
    ):
        asked.append(ListQuestion(entry=entry, asks="count", says=open_count.says))
    doubts = [remark for remark in read.remarks if remark.where == model.name and remark.text.startswith("base ")]
    if expected.base is None and doubts:
        says = f"Which base has {model.name}? The list says “{doubts[0].text.removeprefix('base ')}”: {doubts[0].why}."
        asked.append(ListQuestion(entry=entry, asks="base", says=says))
    return asked
