"""The server keeps to its OpenAPI document, whatever is asked of it."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    allow_header_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.seats.sessions import SeatSessions
from api.server.app import create_app
from models.queries import QUERIES
from tests.api.worlds import frame_report, skirmish, state_line

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
    response_headers_conformance, allow_header_conformance,
]  # fmt: skip
PATIENCE_S = 120.0  # a busy machine answers late, not wrongly
ENDLESS = {"text/event-stream", "multipart/x-mixed-replace"}
REFERENCE = "#/components/schemas/"
KNOWN = [*skirmish().by_id, *(side.id for side in skirmish().sides), "nobody"]


def server() -> FastAPI:
    """A table's server whose document names ids that are on the table, so that more than refusals is tried."""
    hub = Hub(title="test table")
    hub.handle_report(frame_report(state_line(skirmish())))
    app = create_app(hub)
    app.openapi_schema = with_known_ids(app.openapi())
    return app


def with_known_ids(document: dict[str, Any]) -> dict[str, Any]:
    """The same document, each id that is asked with one of a few; what is answered stays as it was promised."""
    schemas = document["components"]["schemas"]
    components = {
        **document["components"],
        "schemas": schemas | {f"Known{n}": narrow(one) for n, one in schemas.items()},
    }
    paths = {path: {how: _ask_known(one) for how, one in item.items()} for path, item in document["paths"].items()}
    return {**document, "components": components, "paths": paths}


def _ask_known(operation: Any) -> Any:
    asked = {"parameters", "requestBody"} & operation.keys()
    return operation | {part: narrow(operation[part]) for part in asked}


def dark_server() -> FastAPI:
    """A server that has seen nothing yet, asked by somebody with no right but to watch."""
    hub = Hub(title="test table")
    return create_app(hub, seats=SeatSessions(hub.journal))


def narrow(schema: Any) -> Any:
    """What may be asked with, each id one of a few."""
    if isinstance(schema, str):
        return schema.replace(REFERENCE, f"{REFERENCE}Known") if schema.startswith(REFERENCE) else schema
    if isinstance(schema, list):
        return [narrow(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("type") == "string" and schema.get("minLength") == 1 and "maxLength" not in schema:
        return {"type": "string", "enum": KNOWN}
    return {name: narrow(value) for name, value in schema.items()}


def operations(app: FastAPI) -> Iterator[Any]:
    """Every operation that ends by itself."""
    document = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
    for result in document.get_all_operations():
        operation = result.ok()
        told = operation.definition.raw["responses"].get("200", {}).get("content", {})
        if not ENDLESS & told.keys():
            yield operation


def try_all(app: FastAPI, *, examples: int, may_fail: bool = False) -> list[str]:
    """The operations that were asked so many times each, with what the document allows and with what it does not."""
    names, checks = [], [check for check in CHECKS if not (may_fail and check is not_a_server_error)]
    for operation in operations(app):
        _try(operation, GenerationMode.POSITIVE, examples, checks)
        if {"parameters", "requestBody"} & operation.definition.raw.keys():
            _try(operation, GenerationMode.NEGATIVE, examples, checks)
        names.append(operation.label)
    return names


def _try(operation: Any, mode: GenerationMode, examples: int, checks: list[Any]) -> None:
    @settings(
        max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck), derandomize=examples < 50,
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        case.call_and_validate(checks=checks, timeout=PATIENCE_S)

    ask()


def test_nothing_that_is_asked_breaks_the_server_or_its_word() -> None:
    names = try_all(server(), examples=2)

    assert {"POST /api/v1/ask", "POST /api/v1/ask-pair", "POST /api/v1/corrections", "GET /api/v1/state"} <= set(names)


def test_before_anything_was_seen_refusals_are_those_of_the_document() -> None:
    assert try_all(dark_server(), examples=1, may_fail=True)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_nothing_in_a_thousand_tries_breaks_the_server_or_its_word() -> None:
    assert len(try_all(server(), examples=100)) > 30


def test_every_question_stands_in_the_document_by_its_kind() -> None:
    document = create_app(Hub(title="test table")).openapi()
    bodies = document["paths"]["/api/v1/ask"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    mapping = next(one for one in bodies["anyOf"] if "discriminator" in one)["discriminator"]["mapping"]

    assert mapping.keys() == QUERIES.keys()
    assert {ref.rsplit("/", 1)[1] for ref in mapping.values()} <= document["components"]["schemas"].keys()


def test_every_reference_of_the_document_leads_somewhere() -> None:
    document = create_app(Hub(title="test table")).openapi()

    refs = set(references(document))
    assert refs
    assert refs - {f"#/components/schemas/{name}" for name in document["components"]["schemas"]} == set()


def references(schema: Any) -> Iterator[str]:
    for value in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from references(value)
    if isinstance(schema, dict) and isinstance(schema.get("$ref"), str):
        yield schema["$ref"]


@pytest.mark.parametrize("method", ["DELETE", "PATCH", "TRACE"])
def test_a_method_that_a_route_does_not_know_is_a_problem(method: str) -> None:
    with TestClient(create_app(Hub(title="test table"))) as phone:
        refused = phone.request(method, "/api/v1/ask")

    assert (refused.status_code, refused.headers["content-type"]) == (405, "application/problem+json")
    assert refused.headers["allow"] == "POST"
    assert refused.json()["status"] == 405
