"""Write the phone's TypeScript types from the classes the server sends and takes; with --check, only compare.

What the server defaults is always in what it sends, and may be left out of what it takes.
"""

import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from api.alone import Alone, Around
from api.choices import Book
from api.corner_words import Judged, Look, Taps
from api.corrections.correction import Correction
from api.corrections.routes import WhichStep
from api.corrections.step import StepMade
from api.going import Course, Going
from api.judging import Bench
from api.live import DrawnTable, Problem, Said, Told
from api.manoeuvres import Manoeuvre
from api.moments import Moment
from api.overlay.words import Board, Production, PutOnAir, Resolved
from api.pair import Pair, Sheet
from api.proposing import Proposals
from api.rulings.routes import LookByTape, Taped
from api.rulings.ruling import NewRuling, Ruling
from api.seats.routes import Chair, Join, Seated, Sitting
from api.setups.siding import SidesProposed
from api.setups.words import Found, Keep, Roster, Setup, SetupTold
from api.tables.words import Glance, Tables

_SOURCES = Path(__file__).parent.parent / "api" / "web" / "src"
WRITTEN = _SOURCES / "types.gen.ts"
CORNERS = _SOURCES / "corners" / "types.gen.ts"
OVERLAY = _SOURCES / "overlay" / "types.gen.ts"
JUDGE = _SOURCES / "judge" / "types.gen.ts"
_HEAD = "// Written by scripts/phone_types.py from the server's classes. Do not edit.\n"
_SIMPLE = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}


def modules() -> dict[Path, str]:
    """Every module that is written, and what is in it."""
    return {WRITTEN: source(), CORNERS: corners_source(), OVERLAY: overlay_source(), JUDGE: judge_source()}


def corners_source() -> str:
    """The module of the page on which corners are tapped."""
    return _module({"Look": Look, "Judged": Judged}, {"Taps": Taps})


def overlay_source() -> str:
    """The module of the stream's overlay."""
    return _module({"Board": Board}, {"Production": Production, "PutOnAir": PutOnAir, "Resolved": Resolved})


def judge_source() -> str:
    """The module of the judge's page."""
    sent = {"Bench": Bench, "Ruling": Ruling, "Taped": Taped, "Moment": Moment, "DrawnTable": DrawnTable}
    return _module(sent, {"NewRuling": NewRuling, "LookByTape": LookByTape, "PutOnAir": PutOnAir})


def source() -> str:
    """The module of the phone's page."""
    sent = {
        "Told": Told,
        "Sheet": Sheet,
        "Around": Around,
        "Course": Course,
        "Book": Book,
        "Proposals": Proposals,
        "Problem": Problem,
        "Sitting": Sitting,
        "Seated": Seated,
        "StepMade": StepMade,
        "Glance": Glance,
        "Tables": Tables,
        "SetupTold": SetupTold,
        "Found": Found,
        "SidesProposed": SidesProposed,
        "Moment": Moment,
    }
    taken = {
        "Alone": Alone,
        "Going": Going,
        "Manoeuvre": Manoeuvre,
        "Pair": Pair,
        "Said": Said,
        "Join": Join,
        "Chair": Chair,
        "Correction": Correction,
        "WhichStep": WhichStep,
        "Setup": Setup,
        "Keep": Keep,
        "Roster": Roster,
    }
    return _module(sent, taken)


def _module(sent: dict[str, Any], taken: dict[str, Any]) -> str:
    """The text of a module; a type that is taken otherwise than it is sent is there twice, once as `...Given`."""
    told, given = _definitions(sent, is_sent=True), _definitions(taken, is_sent=False)
    other = _differing(told, given)
    types = {name: _declared(name, schema, is_sent=True) for name, schema in told.items()}
    for name, schema in given.items():
        called = f"{name}Given" if name in other else name
        types[called] = _declared(called, _renamed(schema, other), is_sent=False)
    return _HEAD + "\n" + "\n".join(types[name] for name in sorted(types))


def _definitions(classes: dict[str, Any], *, is_sent: bool) -> dict[str, Any]:
    """The schema of each type and of all it refers to, by name."""
    found: dict[str, Any] = {}
    for name, of in classes.items():
        schema = TypeAdapter(of).json_schema(mode="serialization" if is_sent else "validation")
        found |= schema.pop("$defs", {}) | {name: schema}
    return found


def _differing(told: dict[str, Any], given: dict[str, Any]) -> set[str]:
    """Names of the types that are in both, and are not the same or refer to one that is not."""
    both = told.keys() & given.keys()
    other = {n for n in both if _declared(n, told[n], is_sent=True) != _declared(n, given[n], is_sent=False)}
    while more := {n for n in both - other if _renamed(given[n], other) != given[n]}:
        other |= more
    return other


def _renamed(schema: Any, names: set[str]) -> Any:
    """The same schema, with these types referred to by their other name."""
    if isinstance(schema, dict):
        changed = {key: _renamed(value, names) for key, value in schema.items()}
        if isinstance(ref := changed.get("$ref"), str) and ref.rsplit("/", 1)[1] in names:
            changed["$ref"] = f"{ref}Given"
        return changed
    return [_renamed(one, names) for one in schema] if isinstance(schema, list) else schema


def _declared(name: str, schema: dict[str, Any], *, is_sent: bool) -> str:
    doc = schema.get("description", "").split("\n\n")[0].replace("\n", " ")
    comment = f"/** {doc} */\n" if doc else ""
    if "properties" in schema:
        return f"{comment}export interface {name} {_fields(schema, is_sent=is_sent)}\n"
    return f"{comment}export type {name} = {_type(schema)};\n"


def _fields(schema: dict[str, Any], *, is_sent: bool) -> str:
    required = set(schema.get("required", ()))
    lines = [
        _field(name, field, needed=name in required or (is_sent and "default" in field))
        for name, field in schema["properties"].items()
    ]
    return "{\n" + "".join(lines) + "}"


def _field(name: str, schema: dict[str, Any], *, needed: bool) -> str:
    comment = f"  /** {schema['description']} */\n" if "description" in schema else ""
    return f"{comment}  readonly {name}{'' if needed else '?'}: {_type(schema)};\n"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "const" in schema:
        return _literal(schema["const"])
    if "enum" in schema:
        return " | ".join(_literal(value) for value in schema["enum"])
    if "anyOf" in schema or "oneOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema.get("anyOf") or schema["oneOf"]))
    if schema.get("type") == "array":
        return _array(schema)
    if schema.get("type") == "object":
        return _object(schema)
    return _SIMPLE.get(schema.get("type", ""), "unknown")


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return "readonly [" + ", ".join(_type(one) for one in schema["prefixItems"]) + "]"
    inner = _type(schema.get("items", {}))
    return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"


def _object(schema: dict[str, Any]) -> str:
    extra = schema.get("additionalProperties")
    return f"Readonly<Record<string, {_type(extra) if isinstance(extra, dict) else 'unknown'}>>"


def main() -> None:
    """Write the modules, or say which are out of date."""
    fresh = modules()
    if "--check" in sys.argv[1:]:
        old = [str(path) for path, text in fresh.items() if not path.is_file() or path.read_text("utf-8") != text]
        sys.exit(f"{', '.join(old)}: out of date" if old else 0)
    for path, text in fresh.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
