"""Event loop: no route holds it for long, measured by the processor time of its thread, whatever legal body comes."""

import asyncio
import gc
import json
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from api.hall.hub_app import create_hub_app
from api.hall.keys import make_keys
from api.hall.store import HallStore
from api.http.refusals import MOST_BYTES, MOST_QUESTION_BYTES
from api.live.hub import Hub
from api.server.app import create_app
from tests.api import fakes
from tests.api.http.test_openapi import ENDLESS
from tests.api.worlds import frame_report, skirmish, state_line

MOST_HELD_S = 0.05
TRIES = 3  # a neighbour on the same core costs time too; what a route itself takes it takes each time
KEYS = make_keys("spring", tables=12, judges=("Anna",))
TOKEN = KEYS[0].seats[0].token
MOST_DEPTH = 6
PACKED = zlib.compress(b"1 Trooper (10)\n" * 40_000)
PLAIN = {"string", "number", "integer", "boolean"}


class LongestStep:
    """The step of the loop that took most processor time of its thread."""

    def __init__(self) -> None:
        self.took_s = 0.0
        self.step = ""


@contextmanager
def watched_loop(patch: pytest.MonkeyPatch) -> Iterator[LongestStep]:
    longest, run = LongestStep(), asyncio.Handle._run

    def measured(handle: asyncio.Handle) -> None:
        began_s = time.thread_time()
        run(handle)
        if (took_s := time.thread_time() - began_s) > longest.took_s:
            longest.took_s, longest.step = took_s, repr(handle)[:300]

    with patch.context() as patched:
        patched.setattr(asyncio.Handle, "_run", measured)
        yield longest


def largest(schema: dict[str, Any], known: dict[str, Any], *, items: int, depth: int = 0) -> Any:
    """A value that the schema allows, with every field, texts as long as may be, and so many items of each list."""
    if "$ref" in schema:
        return largest(known[schema["$ref"].rpartition("/")[2]], known, items=items, depth=depth + 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return max(schema["enum"], key=lambda value: len(str(value)))
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            if depth > 2 * MOST_DEPTH and {"type": "null"} in schema[choice]:
                return None
            inner = [one for one in schema[choice] if one.get("type") != "null"]
            if depth > 2 * MOST_DEPTH:  # what holds itself comes to an end
                inner = [one for one in inner if one.get("type") in PLAIN] or inner[:1]
            values = [largest(one, known, items=items, depth=depth + 1) for one in inner]
            return max(values, key=lambda value: len(json.dumps(value)))
    match schema.get("type"):
        case "object":
            return _largest_object(schema, known, items=items, depth=depth)
        case "array":
            return _largest_list(schema, known, items=items, depth=depth)
        case "string":
            return "m1" if schema.get("minLength") == 1 else "x" * schema.get("maxLength", 20)
        case "number" | "integer":
            return schema.get("maximum", schema.get("minimum", 1))
        case "boolean":
            return True
    return None


def _largest_object(schema: dict[str, Any], known: dict[str, Any], *, items: int, depth: int) -> dict[str, Any]:
    fields = schema.get("properties", {})
    needed = schema.get("required", ())
    body = {
        name: largest(inner, known, items=items, depth=depth + 1)
        for name, inner in fields.items()
        if depth < MOST_DEPTH or name in needed
    }
    if isinstance(inner := schema.get("additionalProperties"), dict) and not fields:
        count = min(schema.get("maxProperties", items), items) if depth < MOST_DEPTH else 0
        body |= {f"m{n}": largest(inner, known, items=items, depth=depth + 1) for n in range(count)}
    return body


def _largest_list(schema: dict[str, Any], known: dict[str, Any], *, items: int, depth: int) -> list[Any]:
    if prefix := schema.get("prefixItems"):
        return [largest(inner, known, items=items, depth=depth + 1) for inner in prefix]
    count = max(schema.get("minItems", 0), min(schema.get("maxItems", items), items) if depth < MOST_DEPTH else 0)
    return [largest(schema.get("items", {}), known, items=items, depth=depth + 1)] * count


def largest_bodies(operation: dict[str, Any], known: dict[str, Any], most_bytes: int) -> Iterator[bytes]:
    """One for each kind of body that the operation takes, as near below its limit as doubling its lists comes."""
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    mapping = schema.get("discriminator", {}).get("mapping", {})
    for kind in [{"$ref": ref} for ref in mapping.values()] or [schema]:
        body = b""
        for power in range(1, 14):
            larger = json.dumps(largest(kind, known, items=2**power)).encode()
            if len(larger) > most_bytes or len(larger) == len(body):
                break
            body = larger
        yield body


def other_bodies(operation: dict[str, Any], most_bytes: int) -> Iterator[tuple[str, bytes]]:
    """What the operation takes that is no JSON: as much of it as is taken, of the kinds that are long to read."""
    for kind in operation.get("requestBody", {}).get("content", {}):
        if kind != "application/json":
            for text in (b"1 Trooper (10)\n", b"+ [1pts] (2) ", b"[t]\n", b"\xff\xd8\xff\xe0", b"<a>"):
                yield kind, text * (most_bytes // len(text))
            yield kind, PACKED


def operations(app: FastAPI) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in app.openapi()["paths"].items():
        for method, operation in item.items():
            kinds = operation["responses"].get("200", {}).get("content", {})
            if not ENDLESS & kinds.keys():
                yield method.upper(), path, operation


def filled(path: str) -> str:
    return path.replace("{number}", "1").replace("{table}", "3").replace("{id_}", "1").replace("{", "").replace("}", "")


def bodies_of(operation: dict[str, Any], known: dict[str, Any], most_bytes: int) -> Iterator[tuple[str, bytes]]:
    """Every body that the operation is tried with, and what it says it is."""
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        yield from (("application/json", body) for body in largest_bodies(operation, known, most_bytes))
    yield from other_bodies(operation, most_bytes)
    if not content:
        yield "application/json", b""


def longest_of_all(app: FastAPI, patch: pytest.MonkeyPatch) -> dict[str, tuple[float, str]]:
    """The longest step of each operation."""
    longest = dict[str, tuple[float, str]]()
    known = app.openapi()["components"]["schemas"]
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    with TestClient(app, raise_server_exceptions=False) as client:
        client.get("/api/v1/openapi.json")
        gc.collect()
        gc.freeze()  # as the server does once it is made
        for method, path, operation in operations(app):
            most_bytes = MOST_QUESTION_BYTES if "/ask" in path else MOST_BYTES
            for kind, body in bodies_of(operation, known, most_bytes):
                headers["Content-Type"] = kind
                client.request(method, filled(path), content=body, headers=headers)  # what is made once
                for _ in range(TRIES):
                    with watched_loop(patch) as step:
                        answer = client.request(method, filled(path), content=body, headers=headers)
                    if step.took_s <= MOST_HELD_S:
                        break
                if step.took_s > longest.get(f"{method} {path}", (0.0, ""))[0]:
                    longest[f"{method} {path}"] = step.took_s, f"{len(body)} bytes, {answer.status_code}: {step.step}"
    return longest


@pytest.fixture(params=["table", "hub"])
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FastAPI]:
    if request.param == "table":
        hub = Hub(title="test table")
        hub.handle_report(frame_report(state_line(skirmish())))
        yield create_app(hub, ask=fakes.ask)
        return
    store = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", "spring", tables=range(1, 13))
    yield create_hub_app(store, KEYS[0])
    store.close()


def test_no_route_holds_the_event_loop_with_its_largest_legal_body(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        longest = longest_of_all(app, monkeypatch)
    finally:
        gc.unfreeze()
    too_long = {name: step for name, step in longest.items() if step[0] > MOST_HELD_S}

    assert len(longest) > 15
    assert not too_long, "\n".join(f"{name}: {step}" for name, step in too_long.items())
