"""Renamed words: commands and options of 1.0 that are said otherwise now. Kept for one release."""

from collections.abc import Sequence

from models.errors import BadInput

_COMMANDS = {
    ("train",): "python -m vision.training train",
    ("evaluate",): "python -m vision.training evaluate",
    ("what-was",): "tableside history",
    ("pair",): "tableside ask STATE A B",
    ("check",): "tableside doctor SOURCE",
    ("calibrate", "corners"): "tableside calibrate table SOURCE --tap",
    ("setup", "solve"): "tableside setup PICTURES... -o FOLDER",
    ("setup", "sheets"): "tableside setup PICTURE --taps ... -o FOLDER",
    ("print", "chessboard"): "tableside print charuco --pattern chessboard",
    ("print", "circles"): "tableside print charuco --pattern circles",
    ("profiles", "list"): "tableside profiles",
    ("profiles", "show"): "tableside profiles NAME",
    ("profiles", "remove"): "tableside profiles NAME --remove",
    ("hub", "cards"): "tableside hub keys --out FOLDER --url URL",
    ("edition", "example"): "tableside edition show NAME --text",
}
_KEYS = {
    "--keep-pictures": "keep_pictures", "--cards": "cards", "--profiles": "profiles", "--light": "light",
    "--webhook": "webhook", "--webhook-secret": "webhook_secret", "--obs": "obs", "--obs-password": "obs_password",
    "--obs-scene": "obs_scene", "--name": "names", "--proxy": "proxies", "--https": "https", "--no-qr": "qr",
    "--tag-sigma-mm": "tag_sigma_mm", "--tag-z-mm": "tag_z_mm", "--distance-sigma-mm": "distance_sigma_mm",
    "--cut-mm": "mat_sigma_mm", "--dictionary": "dictionary", "--replicas": "hall.replicas", "--lists": "hall.lists",
    "--games": "hall.games", "--tables": "tables", "--hub": "hub", "--table": "table_mm", "--host": "host",
    "--port": "port",
}  # fmt: skip
_OPTIONS = {
    "--save": "--device NAME keeps the lens for that device",
    "--squares-x": "--columns", "--squares-y": "--rows", "--circles-x": "--columns", "--circles-y": "--rows",
    "--spacing-mm": "--square-mm", "--bases-mm": "--sizes", "--discs-in": "--sizes", "--table-mm": "--table",
    "--state": "tableside serve --state FILE --open", "--sigmas": "nothing: it is always 4",
    "--out": "-o",
}  # fmt: skip


def refuse_renamed(arguments: Sequence[str]) -> None:
    """Raises: BadInput that says what to say instead of a command that went."""
    commands = [argument for argument in arguments[:4] if not argument.startswith("-")]
    for length in (2, 1):
        instead = _COMMANDS.get(tuple(commands[:length]))
        if instead is not None:
            command = " ".join(commands[:length])
            raise BadInput(f"`tableside {command}` is `{instead}` now", field="command", value=command)


def advise_option(option: str) -> str | None:
    """What stands in place of an option that a command does not know; None where it never existed."""
    if option in _OPTIONS:
        return f"{option} is {_OPTIONS[option]} now"
    key = _KEYS.get(option)
    return None if key is None else f"{option} is set once now: {key} in tableside.toml"
