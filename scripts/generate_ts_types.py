"""TypeScript types of all pages, from the classes the server sends and takes; with --check, only compare.

What the server defaults is always in what it sends, and may be left out of what it takes.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from api.answers.miniature_sheet import MiniatureQuestion, MiniatureSheet
from api.answers.pair_sheet import Pair, Sheet
from api.answers.what_if import Manoeuvre, WhatIfMove, WhatIfMoveResult
from api.corners.service import CornerImage, TapAssessment, Taps
from api.corrections.disputes import DisputeDeed, NewDispute
from api.corrections.schemas import Correction, CorrectionStep
from api.hall.call_routes import CallRequest, CallStatus, Match
from api.hall.rounds import ImportedRound, NewPenalty, PairingChanges
from api.hall.schemas import Doorway, HallPatch, HallSeatStatus, HallView, PublicHall
from api.hall.spectators import SpectatedTable, TableSheet
from api.hall.swiss import NewSwissPlayer
from api.hall.swiss_routes import OwnCheckIn
from api.journal.countersignature import Countersignature
from api.lists.schemas import (
    Casualty,
    ConfirmedList,
    ListAnswer,
    ListNaming,
    ListReading,
    ListText,
    NamingChoices,
    NewTurn,
)
from api.live.messages import ClientMessage, Problem, ServerMessage
from api.live.moments import Moment
from api.live.roll_call import RollCallSheet
from api.live.table_schemas import DrawnTable
from api.live.terrain_proposals import Proposals
from api.overlay.schemas import Board, Production
from api.projector.schemas import LightBoard
from api.routes.camera import PhotographResult
from api.routes.corrections import DisputeView
from api.routes.proof import Proof, SignedAs
from api.routes.rulebooks import Book
from api.routes.tap_measurement import PictureAtHand
from api.rulings.schemas import (
    Bench,
    KeptVerdict,
    NewRuling,
    ResultSlip,
    Ruling,
    TapeSheet,
    VerdictChoice,
)
from api.seats.schemas import SeatOverview, SeatStatus
from api.setup_pictures.draft import PieceChoice, TerrainStatus
from api.setup_pictures.schemas import (
    CameraChoice,
    MarkedPose,
    PhotographMarks,
    SetupChoice,
    SetupStarted,
    SetupStatus,
    SheetTaps,
    TapPicture,
)
from api.setups.schemas import ExpectedMatch, ProposedSides, Roster, SetupParts, SetupSummary
from api.tables.schemas import Tables, TableSummary
from api.tap_measurement.gap_search import GapSheet
from api.tap_measurement.regiment_placement import RegimentRequest, RegimentSheet
from models.tap import Tap, TapMeasurement

WRITTEN = Path(__file__).parent.parent / "api" / "web" / "src" / "shared" / "types.gen.ts"
_LINE, _SHORT = 118, 90
"""Characters of a line, and of an interface that stands on one."""
_HEAD = "// Written by scripts/generate_ts_types.py from the server's classes. Do not edit.\n"
_OPTIONAL = "type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;\n"
_SIMPLE = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
_SENT: dict[str, Any] = {
    "ServerMessage": ServerMessage,
    "Sheet": Sheet,
    "MiniatureSheet": MiniatureSheet,
    "WhatIfMoveResult": WhatIfMoveResult,
    "Book": Book,
    "Proposals": Proposals,
    "PictureAtHand": PictureAtHand,
    "TapMeasurement": TapMeasurement,
    "GapSheet": GapSheet,
    "RegimentSheet": RegimentSheet,
    "RollCallSheet": RollCallSheet,
    "LightBoard": LightBoard,
    "Problem": Problem,
    "SeatStatus": SeatStatus,
    "SeatOverview": SeatOverview,
    "CorrectionStep": CorrectionStep,
    "TableSummary": TableSummary,
    "Tables": Tables,
    "SetupSummary": SetupSummary,
    "ExpectedMatch": ExpectedMatch,
    "ListNaming": ListNaming,
    "ListReading": ListReading,
    "ProposedSides": ProposedSides,
    "Moment": Moment,
    "Bench": Bench,
    "Ruling": Ruling,
    "KeptVerdict": KeptVerdict,
    "ResultSlip": ResultSlip,
    "Proof": Proof,
    "Countersignature": Countersignature,
    "SignedAs": SignedAs,
    "TapeSheet": TapeSheet,
    "DrawnTable": DrawnTable,
    "Board": Board,
    "CornerImage": CornerImage,
    "TapAssessment": TapAssessment,
    "PhotographResult": PhotographResult,
    "SetupStatus": SetupStatus,
    "TapPicture": TapPicture,
    "MarkedPose": MarkedPose,
    "SheetTaps": SheetTaps,
    "SetupStarted": SetupStarted,
    "CameraChoice": CameraChoice,
    "TerrainStatus": TerrainStatus,
    "CallStatus": CallStatus,
    "Match": Match,
    "HallView": HallView,
    "HallPatch": HallPatch,
    "HallSeatStatus": HallSeatStatus,
    "Doorway": Doorway,
    "PublicHall": PublicHall,
    "SpectatedTable": SpectatedTable,
    "TableSheet": TableSheet,
    "ImportedRound": ImportedRound,
    "DisputeView": DisputeView,
}
_TAKEN: dict[str, Any] = {
    "MiniatureQuestion": MiniatureQuestion,
    "WhatIfMove": WhatIfMove,
    "Manoeuvre": Manoeuvre,
    "Pair": Pair,
    "ClientMessage": ClientMessage,
    "Tap": Tap,
    "RegimentRequest": RegimentRequest,
    "Correction": Correction,
    "Keep": SetupParts,
    "PieceChoice": PieceChoice,
    "PhotographMarks": PhotographMarks,
    "Roster": Roster,
    "NamingChoices": NamingChoices,
    "PairingChanges": PairingChanges,
    "NewSwissPlayer": NewSwissPlayer,
    "OwnCheckIn": OwnCheckIn,
    "Casualty": Casualty,
    "NewTurn": NewTurn,
    "ConfirmedList": ConfirmedList,
    "ListText": ListText,
    "ListAnswer": ListAnswer,
    "NewRuling": NewRuling,
    "VerdictChoice": VerdictChoice,
    "NewDispute": NewDispute,
    "DisputeDeed": DisputeDeed,
    "Production": Production,
    "Taps": Taps,
    "SetupChoice": SetupChoice,
    "CallRequest": CallRequest,
    "NewPenalty": NewPenalty,
}


def source() -> str:
    """The module of all pages; a type that is taken otherwise than it is sent is there twice, once as `...Given`."""
    sent_types, taken_types = _definitions(_SENT, is_sent=True), _definitions(_TAKEN, is_sent=False)
    other = _find_differing(sent_types, taken_types)
    types = {name: _declare(name, schema, is_sent=True) for name, schema in sent_types.items()}
    for name, schema in taken_types.items():
        renamed = _rename(schema, other)
        if name in other:
            types[f"{name}Given"] = _declare_given(name, renamed, sent_types[name])
        else:
            types[name] = _declare(name, renamed, is_sent=False)
    return _HEAD + _OPTIONAL + "\n" + "\n".join(types[name] for name in sorted(types))


def _definitions(classes: dict[str, Any], *, is_sent: bool) -> dict[str, Any]:
    """The schema of each type and of all it refers to, by name."""
    found: dict[str, Any] = {}
    for name, of in classes.items():
        schema = TypeAdapter(of).json_schema(mode="serialization" if is_sent else "validation")
        for each, its in (schema.pop("$defs", {}) | {name: schema}).items():
            if found.setdefault(each, its) != its:
                raise SystemExit(f"two classes are called {each}: the pages could not tell them apart")
    return found


def _find_differing(sent_types: dict[str, Any], taken_types: dict[str, Any]) -> set[str]:
    """Names of the types that are in both, and are not the same or refer to one that is not."""
    both = sent_types.keys() & taken_types.keys()
    other = {n for n in both if _declare(n, sent_types[n], is_sent=True) != _declare(n, taken_types[n], is_sent=False)}
    while more := {n for n in both - other if _rename(taken_types[n], other) != taken_types[n]}:
        other |= more
    return other


def _rename(schema: Any, names: set[str]) -> Any:
    """The same schema, with these types referred to by their other name."""
    if isinstance(schema, dict):
        changed = {key: _rename(value, names) for key, value in schema.items()}
        if isinstance(ref := changed.get("$ref"), str) and ref.rsplit("/", 1)[1] in names:
            changed["$ref"] = f"{ref}Given"
        return changed
    return [_rename(one, names) for one in schema] if isinstance(schema, list) else schema


def _declare(name: str, schema: dict[str, Any], *, is_sent: bool) -> str:
    doc = schema.get("description", "").split("\n\n")[0].replace("\n", " ")
    comment = f"/** {doc} */\n" if doc else ""
    if "properties" in schema:
        return f"{comment}export interface {name} {_braced(_fields(schema, is_sent=is_sent).values())}\n"
    return f"{comment}export type {name} = {_type(schema)};\n"


def _declare_given(name: str, schema: dict[str, Any], sent: dict[str, Any]) -> str:
    """The type as it is taken: what is sent, but for the fields that differ."""
    if "properties" not in schema:
        return _declare(f"{name}Given", schema, is_sent=False)
    as_sent, as_taken = _fields(sent, is_sent=True), _fields(schema, is_sent=False)
    changed = {key: text for key, text in as_taken.items() if as_sent.get(key) != text}
    optional = {key for key, text in changed.items() if text.replace(f" {key}?:", f" {key}:") == as_sent.get(key)}
    retyped = {key: text for key, text in changed.items() if key not in optional}
    base = f"Omit<{name}, {_union(retyped)}>" if retyped else name
    base = f"Optional<{base}, {_union(key for key in changed if key in optional)}>" if optional else base
    if not retyped:
        return f"export type {name}Given = {base};\n"
    return f"export interface {name}Given extends {base} {_braced(retyped.values())}\n"


def _union(keys: Iterable[str]) -> str:
    return " | ".join(f'"{key}"' for key in keys)


def _braced(fields: Iterable[str]) -> str:
    """The body of an interface: on one line where it is short and uncommented."""
    short = "{ " + " ".join(fields) + " }"
    if "/**" in short or len(short) > _SHORT:
        return "{\n" + "".join(f"  {field}\n" for field in fields) + "}"
    return short


def _fields(schema: dict[str, Any], *, is_sent: bool) -> dict[str, str]:
    required = set(schema.get("required", ()))
    return {
        name: _field(name, field, needed=name in required or (is_sent and "default" in field))
        for name, field in schema["properties"].items()
    }


def _field(name: str, schema: dict[str, Any], *, needed: bool) -> str:
    text = f"readonly {name}{'' if needed else '?'}: {_type(schema)};"
    if "description" not in schema:
        return text
    comment = f"/** {schema['description']} */"
    return f"{comment} {text}" if len(comment + text) < _LINE else f"{comment}\n  {text}"


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
    """Write the module, or say that it is out of date."""
    text = source()
    if "--check" not in sys.argv[1:]:
        WRITTEN.write_text(text, encoding="utf-8")
    elif not WRITTEN.is_file() or WRITTEN.read_text("utf-8") != text:
        sys.exit(f"{WRITTEN}: out of date")


if __name__ == "__main__":
    main()
