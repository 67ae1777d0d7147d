"""`tableside profiles`: the saved cameras."""

import json
from typing import Annotated

import typer

from api.cli.invocation import settings_of, wants_json
from api.storage.camera_profiles import Profile, profiles_in

Name = Annotated[str | None, typer.Argument(help="One of them: prints its camera file, as `--camera` takes it.")]


def show_profiles(
    context: typer.Context,
    name: Name = None,
    remove: Annotated[bool, typer.Option("--remove", help="Forget the named one.")] = False,
) -> None:
    """The cameras that were calibrated and saved on this machine: name, device, picture size, error on unseen views."""
    profiles = profiles_in(settings_of(context).profiles)
    if name is None:
        known = profiles.all()
        text = "\n".join(map(_line, known)) or "none"
        typer.echo(json.dumps(list(map(_facts, known))) if wants_json(context) else text)
    elif remove:
        profiles.remove(name)
        typer.echo(json.dumps({"removed": name}) if wants_json(context) else f"removed {name}")
    else:
        typer.echo(profiles.find_profile(name).camera.model_dump_json(indent=1, exclude_none=True))


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
