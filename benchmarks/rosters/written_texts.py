"""Written texts: armies by grammars that the readers do not share, each with the units that it says."""

import html
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

NAMES = (
    "Sluice Hand", "Bill Reeve", "Otter Hound", "Über Vogt", "Lockkeeper's Man", "Reed & Rush", "Coal-Wagon Crew",
    "Fen Rider",
    "Señor de la Esclusa", "Garde du Moulin", "Żelazny Młynarz", "Lamp Guard",
)  # fmt: skip
POINTS = {"en": "points", "fr": "points", "de": "Punkte", "es": "puntos", "it": "punti", "pl": "pkt"}
CHARACTERS = {
    "en": "CHARACTERS", "fr": "PERSONNAGES", "de": "CHARAKTERMODELLE", "es": "PERSONAJES", "it": "PERSONAGGI",
    "pl": "POSTACIE"
}  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """A unit of an army; a count of None is one that its program does not print."""

    name: str
    count: int | None
    points: int


@dataclass(frozen=True)
class Text:
    """A text by its parts, and the units that it says."""

    head: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]
    foot: tuple[str, ...]
    truth: tuple[Entry, ...]
    has_total: bool = True
    raw: str | None = None

    def __str__(self) -> str:
        return self.raw or "\n".join([*self.head, *(line for block in self.blocks for line in block), *self.foot])


Grammar = Callable[[list[Entry], random.Random], Text]


def make_army(dice: random.Random) -> list[Entry]:
    """A leader, then units of one and of many; no name twice."""
    names = dice.sample(NAMES, dice.randrange(4, 9))
    counts = [1, *(dice.choice((1, 3, 5, 10, 20)) for _ in names[1:])]
    return [Entry(name, count, 5 * dice.randrange(8, 60)) for name, count in zip(names, counts, strict=True)]


def total_of(army: Sequence[Entry]) -> int:
    return sum(entry.points for entry in army)


def unsaid(army: Sequence[Entry]) -> tuple[Entry, ...]:
    return tuple(replace(entry, count=None) for entry in army)


def official_app(language: str, spelling: Callable[[str], str] = str) -> Grammar:
    word = spelling(POINTS[language])

    def write(army: list[Entry], _: random.Random) -> Text:
        blocks = []
        for i, entry in enumerate(army):
            title = ("", CHARACTERS[language], "") if i == 0 else ("", "BATTLELINE", "") if i == 1 else ("",)
            lines = [f"{entry.name} ({entry.points} {word})"]
            if entry.count == 1:
                lines += ["  • 1x Long pole"]
            else:
                lines += [f"  • 1x {entry.name} First", "     ◦ 1x Bill", f"  • {(entry.count or 2) - 1}x {entry.name}"]
                lines += [f"     ◦ {(entry.count or 2) - 1}x Bill"]
            blocks.append((*title, *lines))
        head = (f"Low water ({total_of(army)} {word})", "", "Weir Folk", "Reed Host", f"Strike Force (2,000 {word})")
        foot = ("", "Exported with App Version: v1.48.0 (1), Data Version: v750")
        return Text(head, tuple(blocks), foot, tuple(army))

    return write


def sigmar_app(army: list[Entry], dice: random.Random) -> Text:
    blocks, truth = [], []
    for i, entry in enumerate(army):
        title = ("", f"Regiment {i // 3 + 1}") if i % 3 == 0 else ()
        is_said = dice.random() < 0.3 and (entry.count or 1) > 1 and i % 3 > 0
        count = f" ({entry.count} models)" if is_said else ""
        options = ("• Reinforced",) if not is_said and dice.random() < 0.2 and i % 3 > 0 else ()
        blocks.append((*title, f"{entry.name}{count} ({entry.points})", *options))
        truth.append(replace(entry, count=1 if i % 3 == 0 else entry.count if is_said else None))
    head = (
        f"Low water {total_of(army)}/2000 pts",
        "-----",
        "Grand Alliance Order | Weir Folk | Reed Host",
        "Drops: 2",
        "-----",
    )
    foot = ("-----", "Created with Warhammer Age of Sigmar: The App", "App: v1.36.0 (1) | Data: v466")
    return Text(head, tuple(blocks), foot, tuple(truth))


def new_recruit(army: list[Entry], _: random.Random) -> Text:
    blocks: list[tuple[str, ...]] = []
    for entry in army:
        if entry.count == 1:
            blocks.append((f"{entry.name} [{entry.points} pts]: Pole, Lamp",))
        else:
            few = (entry.count or 2) - 1
            title = f"{entry.count}x {entry.name} [{entry.points} pts]"
            blocks.append((title, f"• 1x {entry.name} First: Bill", f"• {few}x {entry.name}: {few} with Bill"))
    head = (f"# ++ Army Roster ++ (Copper Wars) [{total_of(army)} pts]", f"## Battleline [{total_of(army)} pts]")
    return Text(head, tuple(blocks), ("", "Created with New Recruit"), tuple(army))


def new_recruit_chat(army: list[Entry], dice: random.Random) -> Text:
    text = new_recruit(army, dice)
    blocks = tuple((f"**{block[0]}**", *block[1:]) for block in text.blocks)
    return replace(text, blocks=blocks)


def tournament(*, is_full: bool) -> Grammar:
    def write(army: list[Entry], _: random.Random) -> Text:
        bar = "+" * 47
        head = (
            bar, "+ FACTION KEYWORD: Weir - Reed Host", "+ DETACHMENT: Low Water",
            f"+ TOTAL ARMY POINTS: {total_of(army)}pts", "+",
            f"+ WARLORD: Char1: {army[0].name}", f"+ NUMBER OF UNITS: {len(army)}", bar, "",
        )  # fmt: skip
        blocks: list[tuple[str, ...]] = []
        for i, entry in enumerate(army):
            lead = "Char1: " if i == 0 else ""
            if entry.count == 1 or not is_full:
                blocks.append((f"{lead}{entry.count}x {entry.name} ({entry.points} pts): Pole, Lamp",))
            else:
                few = (entry.count or 2) - 1
                models = (f"• {few}x {entry.name}", f"    {few} with Bill, Lamp", f"• 1x {entry.name} First: Pole")
                blocks.append((f"{entry.count}x {entry.name} ({entry.points} pts)", *models))
        return Text(head, tuple(blocks), (), tuple(army))

    return write


def old_world_recruit(army: list[Entry], _: random.Random) -> Text:
    blocks = tuple(("", f"{entry.name} [{entry.count}] [{entry.points}pts]", ". Full Command") for entry in army)
    head = ("++ Low water (Warhammer: The Old World) [2,000pts] ++", "", f"+ Core + [{total_of(army)}pts]")
    foot = ("", f"++ Total: [{total_of(army)}pts] ++", "", "Created with New Recruit", "https://www.newrecruit.eu")
    return Text(head, blocks, foot, tuple(army))


def old_world_builder(*, is_compact: bool) -> Grammar:
    def write(army: list[Entry], _: random.Random) -> Text:
        blocks = []
        for entry in army:
            count = f"{entry.count} " if (entry.count or 1) > 1 else ""
            options = ("(Bills, Shields, Musician)",) if is_compact else ("- Bills", "- Shields", "- Musician")
            blocks.append((f"{count}{entry.name} [{entry.points} pts]", *options, ""))
        title = ("===", f"Low water [{total_of(army)} pts]", "Warhammer: The Old World, Weir Folk", "===", "")
        head = (*(() if is_compact else title), f"++ Core Units [{total_of(army)} pts] ++", "")
        foot = ("---", 'Created with "Old World Builder"', "", "[https://old-world-builder.com]")
        return Text(head, tuple(blocks), foot, tuple(army), has_total=not is_compact)

    return write


def old_world_chat(army: list[Entry], _: random.Random) -> Text:
    blocks = []
    for entry in army:
        count = f"{entry.count} " if (entry.count or 1) > 1 else ""
        blocks.append((f"- {count}{entry.name} [{entry.points} pts] ", " -# (Bills, Shields)"))
    head = (
        f"## Low water [{total_of(army)} pts]",
        "Warhammer: The Old World, Weir Folk",
        "",
        f"### Core Units [{total_of(army)} pts]",
    )
    return Text(
        head, tuple(blocks), ("", '*Created with "Old World Builder"* - https://old-world-builder.com'), tuple(army)
    )


def old_world_markdown(army: list[Entry], _: random.Random) -> Text:
    blocks = []
    for entry in army:
        count = f"{entry.count} " if (entry.count or 1) > 1 else ""
        blocks.append(
            (
                "",
                f"### {count}{entry.name} [{entry.points} pts]",
                "",
                "- Bills",
                "- Shields",
                "",
                "**Special Rules:** Wet Feet",
            )
        )
    head = (
        f"# Low water [{total_of(army)} pts]",
        "",
        "Warhammer: The Old World, Weir Folk",
        "",
        f"## Core Units [{total_of(army)} pts]",
    )
    foot = ("", "---", "", "Created with [Old World Builder](https://old-world-builder.com)")
    return Text(head, tuple(blocks), foot, tuple(army))


def battlescribe(army: list[Entry], _: random.Random) -> Text:
    blocks: list[tuple[str, ...]] = []
    for i, entry in enumerate(army):
        few = (entry.count or 1) - 1
        if entry.count == 1:
            blocks.append(("", f"{entry.name} [{entry.points}pts]: Pole"))
        elif i % 2:
            blocks.append(("", f"{entry.name} [{entry.points}pts]: {entry.count}x {entry.name}, Bill (4+)"))
        else:
            models = (f". {few}x {entry.name}: {few}x Bill", f". {entry.name} First: Pole")
            blocks.append(("", f"{entry.name} [{entry.points}pts]", *models))
    head = ("++ Low water (Copper Wars) [2,000pts] ++", "", "+ Core +")
    foot = ("", f"++ Total: [{total_of(army)}pts] ++", "", "Created with BattleScribe (https://battlescribe.net)")
    return Text(head, tuple(blocks), foot, tuple(army))


def battlescribe_page(army: list[Entry], _: random.Random) -> Text:
    """As a browser saves it: units as items of a list, models below them, a table of the card that nobody counts."""
    blocks: list[tuple[str, ...]] = []
    for entry in army:
        few = (entry.count or 1) - 1
        chosen = '<p><span class="bold">Selections:</span> {}</p>'
        head = ('<li class="rootselection">', f"<h4>{html.escape(entry.name)} [4 PL, {entry.points} pts]</h4>")
        card = "<table><tr><th>Unit</th><th>M</th></tr><tr><td>Sluice Hand</td><td>6</td></tr></table>"
        if entry.count == 1:
            blocks.append((*head, chosen.format("Pole, Lamp"), card, "</li>"))
        else:
            models = (
                "<ul>", f"<li><h4>{few}x {html.escape(entry.name)}</h4>", chosen.format(f"{few}x Bill"), "</li>",
                f"<li><h4>{html.escape(entry.name)} First</h4>", chosen.format("Pole"), "</li>", "</ul>",
            )  # fmt: skip
            blocks.append((*head, *models, card, "</li>"))
    begin = (
        "<!DOCTYPE html>", "<html><head><title>Low water</title><style>h4 { margin: 0 }</style></head><body>",
        f'<div class="battlescribe"><h1>Low water (Copper Wars) [40 PL, {total_of(army)} pts]</h1>',
        '<ul><li class="force"><h2>Patrol</h2><ul><li class="category"><h3>Core</h3><ul>',
    )  # fmt: skip
    return Text(begin, tuple(blocks), ("</ul></li></ul></li></ul></div></body></html>",), tuple(army))


def war_organ(*, is_tree: bool) -> Grammar:
    def write(army: list[Entry], _: random.Random) -> Text:
        blocks: list[tuple[str, ...]] = []
        for i, entry in enumerate(army):
            few, unit = (entry.count or 1) - 1, f"{entry.name} ({entry.points} points)"
            section = ("", "CHARACTER" if i == 0 else "BATTLELINE", "") if is_tree and i < 2 else ("",)
            if entry.count == 1:
                blocks.append((*section, unit, *(("  • Warlord",) if i == 0 else ()), "  • Pole"))
            elif is_tree:
                leader = (f"  • 1x {entry.name} First", "    • Pole")
                blocks.append((*section, unit, *leader, f"  • {few}x {entry.name}", f"    • {few}x Bill"))
            else:
                models = (f"• 1 {entry.name} First with Pole", f"• {few} {entry.name} with Bill and Lamp")
                blocks.append((*section, unit, *models))
        size = ("Strike Force (2000 point limit)", "Reed Host (3/3 Detachment Points)")
        said = size if is_tree else ("Battle Size: " + size[0], "Detachments: Reed Host (3 Detachment Points)")
        truth = tuple(replace(entry, count=None) if entry.count == 1 else entry for entry in army)
        return Text((f"Low water ({total_of(army)} points)", "Weir Folk", *said), tuple(blocks), (), truth)

    return write


def war_room(*, is_new: bool) -> Grammar:
    def write(army: list[Entry], _: random.Random) -> Text:
        cost = {entry.name: entry.points // 10 for entry in army}
        total = sum(cost[entry.name] for entry in army[1:])
        blocks = [(f"{army[0].name} - {'WJ: +28' if is_new else 'WB: +5'}",)]
        for i, entry in enumerate(army[1:]):
            sort = f"Leader & {(entry.count or 2) - 1} Grunts" if (entry.count or 1) > 1 else "PC"
            blocks.append((f"{'-    ' if i % 3 == 0 else ''}{entry.name} - {sort}: {cost[entry.name]}",))
        tail = "Army" if is_new else f"({total}+3)    Warlock(s) : 1/1    Solos : 2"
        theme = ("Theme: Low Water",) if is_new else ()
        head = ("War Room Army", "", "Weir Folk - Spring 4", "", *theme, f"{total} / 75 {tail}", "")
        build = ("BUILD ID : 2099.20-03-03",) if is_new else ()
        foot = ("", "---", "", "GENERATED : 11/10/2026 20:19:18", *build)
        return Text(head, tuple(blocks), foot, tuple(army))

    return write


def conflict_chamber(army: list[Entry], _: random.Random) -> Text:
    blocks = [(f"(Osk 1) {army[0].name} [+28]",)]
    truth = [army[0]]
    for i, entry in enumerate(army[1:]):
        size = " (max)" if (entry.count or 1) > 1 else ""
        blocks.append((f"{' - ' if i % 3 == 1 else ''}{entry.name}{size} [{entry.points // 10}]",))
        truth.append(replace(entry, count=None if size else 1))
    total = sum(entry.points // 10 for entry in army[1:])
    head = ("https://conflictchamber.com/?ca3", "", f"Weir Folk Army - {total} / 75 points", "[Theme] Low Water", "")
    return Text(head, tuple(blocks), (), tuple(truth), has_total=False)


def army_builder(army: list[Entry], _: random.Random) -> Text:
    blocks = tuple(
        (f"  {entry.count:2} {entry.name} @ {entry.points} Pts", "      Musician; Standard") for entry in army
    )
    foot = ("", "Casting Pool: 4", f"Total Roster Cost: {total_of(army)}")
    return Text(("2000 Pts - Weir Folk Roster", ""), blocks, foot, tuple(army))


def army_forge(army: list[Entry], _: random.Random) -> Text:
    blocks = tuple(
        (
            f"{entry.name} [{entry.count}] Q4+ D4+ | {entry.points}pts | Fast, Tough(3)",
            f'{entry.count}x Bill (A1, AP(1)), Sling (12", A1)',
            "",
        )
        for entry in army
    )
    return Text((f"++ Low water - Weir Folk (v3.4.0) [GF {total_of(army)}pts] ++", ""), blocks, (), tuple(army))


def warscroll_builder(army: list[Entry], _: random.Random) -> Text:
    blocks = []
    truth = []
    for entry in army:
        count = f"{entry.count} x " if (entry.count or 1) > 1 else ""
        blocks.append((f"{count}{entry.name} ({entry.points})", "- Bills"))
        truth.append(replace(entry, count=entry.count if count else None))
    head = ("Allegiance: Weir Folk", "", "Battleline")
    foot = ("", f"Total: {total_of(army)} / 2000", "Extra Command Points: 1", "Allies: 0 / 400", "Wounds: 90")
    return Text(head, tuple(blocks), foot, tuple(truth))


def ninth_age(army: list[Entry], _: random.Random) -> Text:
    blocks = tuple(
        (f"{entry.points} - {f'{entry.count} ' if (entry.count or 1) > 1 else ''}{entry.name}, Shield, Halberd",)
        for entry in army
    )
    return Text(("Weir Folk of the North",), blocks, (f"{total_of(army)}",), tuple(army))


def conquest(army: list[Entry], _: random.Random) -> Text:
    head = ("=== The Last Argument of Kings ===", "", f"Low water [{total_of(army)}/2000]", "Weir Folk", "")
    lead = army[0]
    blocks: list[tuple[str, ...]] = [(f"== {lead.name} [{lead.points}]: Pole", "")]
    blocks += [(f" * {entry.name} ({entry.count}) [{entry.points}]: Standard",) for entry in army[1:]]
    return Text(head, tuple(blocks), (), tuple(army))


def kings_of_war(army: list[Entry], _: random.Random) -> Text:
    blocks, truth = [], []
    for i, entry in enumerate(army):
        sort = "Regiment" if (entry.count or 1) > 1 and i % 2 else f"({entry.count})"
        blocks.append((f"{entry.name}{' -' if sort == 'Regiment' else ''} {sort} - {entry.points} pts",))
        truth.append(replace(entry, count=None if sort == "Regiment" else entry.count))
    foot = ("", f"Total: {total_of(army)} pts", "Kings of War Companion")
    return Text(("Low water", ""), tuple(blocks), foot, tuple(truth))


def spreadsheet(separator: str) -> Grammar:
    def write(army: list[Entry], _: random.Random) -> Text:
        head = (separator.join(("Unit", "Models", "Points", "Base")),)
        blocks = tuple((separator.join((entry.name, str(entry.count), str(entry.points), "32mm")),) for entry in army)
        # a table with a last row of totals is as often copied without it
        return Text(
            head, blocks, (separator.join(("Total", "", str(total_of(army)), "")),), tuple(army), has_total=False
        )

    return write


def typed(army: list[Entry], _: random.Random) -> Text:
    return Text(
        (), tuple((f"{entry.count} {entry.name}, red, 30",) for entry in army), (), tuple(army), has_total=False
    )


def unknown_program(army: list[Entry], _: random.Random) -> Text:
    """A layout of nobody's: it may be asked about or read, and never read wrongly."""
    blocks = tuple((f"{entry.name} ... {entry.points} for {entry.count}",) for entry in army)
    return Text(("My army for Saturday",), blocks, ("see you there",), tuple(army), has_total=False)


GRAMMARS: dict[str, Grammar] = {
    **{f"official 40K app, {language}": official_app(language) for language in POINTS},
    "official 40K app, capitals": official_app("en", str.title),
    "official AoS app": sigmar_app,
    "New Recruit": new_recruit, "New Recruit, chat": new_recruit_chat, "New Recruit, The Old World": old_world_recruit,
    "New Recruit, WTC compact": tournament(is_full=False), "New Recruit, WTC": tournament(is_full=True),
    "Old World Builder": old_world_builder(is_compact=False),
    "Old World Builder, compact": old_world_builder(is_compact=True),
    "Old World Builder, chat": old_world_chat, "Old World Builder, Markdown": old_world_markdown,
    "BattleScribe text": battlescribe, "BattleScribe, HTML": battlescribe_page,
    "WarOrgan": war_organ(is_tree=False), "WarOrgan, tree": war_organ(is_tree=True),
    "War Room 2, 2020": war_room(is_new=True), "War Room 2, 2014": war_room(is_new=False),
    "Conflict Chamber": conflict_chamber,
    "Army Builder": army_builder, "Army Forge": army_forge, "Warscroll Builder": warscroll_builder,
    "The Ninth Age": ninth_age,
    "Conquest": conquest, "Kings of War Companion": kings_of_war,
    "CSV": spreadsheet(","), "CSV, semicolons": spreadsheet(";"), "table, tabs": spreadsheet("\t"),
    "typed lines": typed, "no known program": unknown_program,
}  # fmt: skip
