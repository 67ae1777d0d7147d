"""`tableside cards` and `roster`: the card library that its owner keeps, and what an army list holds."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from api.cli.invocation import settings_of, wants_json
from models.errors import BadInput
from models.profile import Card
from models.roster import RosterList, RosterModel


def import_cards(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="A list, or data of a WARMACHINE tool.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write; else into the folder.")] = None,
) -> None:
    """Write the cards that a list brings into a file of your own, to read over and to mend."""
    from api.cards.card_file import cards_of, library_folder, write_cards
    from api.rosters.read import read_roster
    from api.storage.files import make_folder, read_bytes, write_whole

    faction = cards_of(read_roster(read_bytes(file), name=file.name), source=f"imported from {file.name}")
    target = output or library_folder(settings_of(context).cards) / f"{file.stem}.toml"
    if output is None:
        make_folder(target.parent, field="cards")
    if target.exists():
        raise BadInput(f"{target} exists: name another file with -o", field="output", value=str(target))
    write_whole(target, write_cards(faction))
    count, bare = len(faction.cards), sum(card.base is None for card in faction.cards)
    facts = {"output": str(target), "cards": count, "without_base": bare}
    text = f"{target}: {count} cards{f', {bare} without a base size' if bare else ''}"
    typer.echo(json.dumps(facts) if wants_json(context) else text)


def check_cards(
    context: typer.Context,
    files: Annotated[list[Path] | None, typer.Argument(help="Files; those of the folder when left out.")] = None,
) -> None:
    """Read card files over and say what is wrong or missing."""
    from api.cards.card_file import library_folder, load_files

    folder = library_folder(settings_of(context).cards)
    facts: list[dict[str, object]] = []
    lines: list[str] = []
    for path in files or sorted(folder.glob("*.toml")):
        (faction,) = load_files([path]).factions
        missing = {card.name: lacks for card in faction.cards if (lacks := _list_missing(card))}
        facts.append({"file": str(path), "faction": faction.faction, "cards": len(faction.cards), "missing": missing})
        lines += [f"{path}: {faction.faction}, {len(faction.cards)} cards"]
        lines += [f"  {name}: no {', no '.join(lacks)}" for name, lacks in missing.items()]
    text = "\n".join(lines) or f"no card file in {folder}"
    typer.echo(json.dumps(facts) if wants_json(context) else text)


def show_cards(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="Whose; all of them when left out.")] = None,
) -> None:
    """The cards of your library and of the invented faction that is shipped."""
    from api.cards.card_file import load_library
    from api.cards.matching import find_by_name

    cards = load_library(settings_of(context).cards).cards()
    if name is not None:
        keys = find_by_name(name, ((card.id, other) for card in cards for other in (card.id, card.name, *card.also)))
        cards = tuple(card for card in cards if card.id in keys)
        if not cards:
            raise BadInput(f"no card is called {name!r}", field="name", value=name)
    if wants_json(context):
        typer.echo(json.dumps([card.model_dump(mode="json", exclude_defaults=True) for card in cards]))
    else:
        typer.echo("\n".join(_lines(cards)))


def _list_missing(card: Card) -> list[str]:
    numbers = card.profile
    needed = {"base": card.base, "speed": numbers.spd_in, "weapon": numbers.melee or numbers.ranged or None}
    return [name for name, value in needed.items() if value is None]


def _lines(cards: Sequence[Card]) -> list[str]:
    from api.cards.card_file import write_base

    lines = []
    for card in cards:
        numbers = card.profile
        parts = [f"base {write_base(card.base)}"] if card.base is not None else []
        parts += [f"speed {numbers.spd_in:g}"] if numbers.spd_in is not None else []
        parts += [f"command {card.command_in:g}"] if card.command_in is not None else []
        parts += [f"{weapon.name} reach {weapon.reach_in:g}" for weapon in numbers.melee]
        parts += [f"{gun.name} range {gun.rng_in}" for gun in numbers.ranged]
        parts += numbers.abilities
        lines.append(f"{card.name} ({card.id}): {', '.join(parts)}; {card.source or 'no source'}")
    return lines


def show_roster(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The list: .ros, .rosz, .json or text, whatever it is called.")],
) -> None:
    """Units, models, bases and numbers of a list, and what of it was not understood."""
    from api.rosters.read import read_roster
    from api.storage.files import read_bytes

    roster = read_roster(read_bytes(file), name=file.name)
    as_json = wants_json(context)
    typer.echo(
        roster.model_dump_json(indent=1, exclude_defaults=True) if as_json else "\n".join(describe_roster(roster))
    )


def learn_layouts(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The layout file, in TOML: how the lines of a program's lists look.")],
    sample: Annotated[
        Path | None, typer.Option("--sample", help="A list of that program, to show what is read.")
    ] = None,
    folder: Annotated[Path | None, typer.Option("--folder", help="Where layouts are kept.")] = None,
) -> None:
    """Keep a layout file; with a sample, show what it reads first, and keep nothing where a line is not understood."""
    from api.errors import BadLayout
    from api.rosters.declared_layouts import layout_of, read_declared
    from api.rosters.file_opening import clean_text, decode_text
    from api.rosters.layout_file import layouts_folder, read_layouts
    from api.storage.files import read_bytes, write_whole

    raw = read_bytes(file)
    layouts = read_layouts(decode_text(raw, file.name), file.name)
    lines = [f"{layout.program}: {len(layout.lines)} templates" for layout in layouts]
    if sample is not None:
        text = clean_text(decode_text(read_bytes(sample), sample.name), sample.name)
        layout = layout_of(text, layouts)
        if layout is None:
            says = f"{sample.name}: no signature of {file.name} stands in it."
            raise BadLayout(says, field="sample", value=sample.name)
        roster = read_declared(text, layout)
        lines += [f"  {line.kind:6} {line.text}" for line in roster.lines] + describe_roster(roster)
        if unread := [line.text for line in roster.lines if line.kind == "unread"]:
            raise BadLayout(
                f"Not kept: {len(unread)} lines are not understood, first “{unread[0]}”.",
                field="sample",
                value=unread[0],
            )
    kept = (folder or layouts_folder()) / f"{file.stem}.toml"
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_whole(kept, raw)
    lines.append(f"Kept as {kept}")
    typer.echo(
        json.dumps({"kept": str(kept), "programs": [a.program for a in layouts]})
        if wants_json(context)
        else "\n".join(lines)
    )


def describe_roster(roster: RosterList) -> list[str]:
    """The list in lines for a terminal."""
    rulebook = roster.edition or "no rulebook of ours"
    lines = [f"{roster.name or 'A list'}: {roster.game or 'no game named'} ({rulebook}), read as {roster.format}"]
    lines.append(f"{len(roster.units)} units, {roster.miniatures} miniatures")
    for unit in roster.units:
        lines.append(f"  {unit.display_name}: {unit.count}")
        lines += [f"    {model.count} {model.name}{_numbers_of(model)}" for model in unit.models]
    if roster.remarks:
        lines += ["Kept, and not read or doubtful:", *(f"  {r.where}: {r.text} ({r.why})" for r in roster.remarks)]
    if roster.questions:
        lines += ["Open before it is laid out:", *(f"  {q.where}: {q.says}" for q in roster.questions)]
    return lines


def _numbers_of(model: RosterModel) -> str:
    card, parts = model.profile, []
    if model.base is not None:
        parts.append(
            "base " + "x".join(f"{v:g}" for k, v in model.base if k.endswith("_mm") and v and k != "counts_as_mm")
        )
    if card.spd_in is not None:
        parts.append(f"speed {card.spd_in:g}")
    parts += [f"{weapon.name} reach {weapon.reach_in:g}" for weapon in card.melee]
    for gun in card.ranged:
        span = gun.rng_in if isinstance(gun.rng_in, tuple) else (gun.rng_in,)
        parts.append(f"{gun.name} range {'-'.join(f'{inches:g}' for inches in span if isinstance(inches, float))}")
    return f" ({', '.join(parts)})" if parts else ""
