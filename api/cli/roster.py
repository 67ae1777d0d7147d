"""`tableside roster`: what an army list holds, before it is played with."""

from pathlib import Path
from typing import Annotated

import typer

from api.cli.invocation import wants_json
from models.roster import RosterList, RosterModel


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
