"""Army lists of invented games, small ones with the traps of real ones."""

import io
import zipfile

NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"


def cell(name: str, text: str) -> str:
    return f'<characteristic name="{name}">{text}</characteristic>'


def card(name: str, **cells: str) -> str:
    inside = "".join(cell(key.replace("_", " "), text) for key, text in cells.items())
    return f'<profile id="p-{name}" name="{name}" typeName="Card"><characteristics>{inside}</characteristics></profile>'


def body(name: str, move: str = '6"', **more: str) -> str:
    return card(name, Move=move, Health="1", Save="5+", **more)


def selection(name: str, kind: str, *inside: str, number: int = 1, cards: str = "", more: str = "") -> str:
    below = f"<selections>{''.join(inside)}</selections>" if inside else ""
    profiles = f"<profiles>{cards}</profiles>" if cards else ""
    told = f'id="s" entryId="e-{name}" name="{name}" number="{number}" type="{kind}" {more}'
    return f"<selection {told}>{profiles}{below}</selection>"


def force(*selections: str, inside: str = "", name: str = "Host") -> str:
    nested = f"<forces>{inside}</forces>" if inside else ""
    return f'<force name="{name}"><selections>{"".join(selections)}</selections>{nested}</force>'


def ros(*forces: str, game: str = "Copper Wars 2", name: str = "My host") -> bytes:
    text = f'<?xml version="1.0" encoding="UTF-8"?><roster xmlns="{NAMESPACE}" name="{name}" gameSystemName="{game}">'
    return f"{text}<forces>{''.join(forces)}</forces></roster>".encode()


def zipped(raw: bytes, name: str = "list.ros") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, raw)
    return out.getvalue()
