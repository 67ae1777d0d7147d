"""`tableside profiles`: the saved cameras."""

import json
from pathlib import Path
from typing import Annotated

import typer

from api.storage.camera_profiles import Profile, profiles_in

command = typer.Typer(help="The cameras that were calibrated and saved on this machine.", no_args_is_help=True)

Folder = Annotated[
    Path | None,
    typer.Option("--profiles", help="Their folder; the user's own when left out.", envvar="TABLESIDE_PROFILES"),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Name = Annotated[str, typer.Argument(help="As `tableside profiles list` writes it.")]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.add_typer(command, name="profiles")


@command.command("list")
def list_profiles(folder: Folder = None, as_json: Json = False) -> None:
    """Every saved camera: name, device, picture size, error on unseen views."""
    found = profiles_in(folder).all()
    typer.echo(json.dumps([_facts(one) for one in found]) if as_json else "\n".join(map(_line, found)) or "none")


@command.command("show")
def show_profile(name: Name, folder: Folder = None) -> None:
    """The camera file of a profile, as `--camera` takes it."""
    typer.echo(profiles_in(folder).find_profile(name).camera.model_dump_json(indent=1, exclude_none=True))


@command.command("remove")
def remove_profile(name: Name, folder: Folder = None) -> None:
    """Forget a saved camera."""
    profiles_in(folder).remove(name)
    typer.echo(f"removed {name}")


def _facts(profile: Profile) -> dict[str, object]:
    camera = profile.camera
    return {
        "name": profile.name,
        "device": profile.device,
        "image_size": camera.image_size,
        "model": camera.model,
        "views": len(camera.views),
        "heldout_px": camera.heldout_px,
    }


def _line(profile: Profile) -> str:
    camera = profile.camera
    error = "" if camera.heldout_px is None else f", {camera.heldout_px:.2f} px on unseen views"
    return f"{profile.name}: {profile.device}, {camera.model} lens from {len(camera.views)} views{error}"
