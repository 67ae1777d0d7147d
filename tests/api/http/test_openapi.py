"""The server keeps to its OpenAPI document, whatever is asked of it."""

import asyncio
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
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

from api.hall.hub_app import create_hub_app
from api.hall.keys import make_keys
from api.hall.round_store import RoundStore
from api.hall.rounds import Opponent, Pairing, RoundStart
from api.hall.store import HallStore
from api.http import openapi
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


def test_the_document_is_made_beside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a second, in which no phone would hear anything."""
    build = openapi._build_document

    def build_off_the_loop(app: FastAPI) -> dict[str, Any]:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        return build(app)

    monkeypatch.setattr(openapi, "_build_document", build_off_the_loop)
    with TestClient(server()) as client:
        assert client.get("/api/v1/openapi.json").json()["info"]["title"] == "Tableside"


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


def try_all(app: FastAPI, *, examples: int, may_fail: bool = False, headers: dict[str, str] | None = None) -> list[str]:
    """The operations that were asked so many times each, with what the document allows and with what it does not."""
    names, checks = [], [check for check in CHECKS if not (may_fail and check is not_a_server_error)]
    for operation in operations(app):
        _try(operation, GenerationMode.POSITIVE, examples, checks, headers)
        if {"parameters", "requestBody"} & operation.definition.raw.keys():
            _try(operation, GenerationMode.NEGATIVE, examples, checks, headers)
        names.append(operation.label)
    return names


def _try(
    operation: Any, mode: GenerationMode, examples: int, checks: list[Any], headers: dict[str, str] | None
) -> None:
    @settings(
        max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck), derandomize=examples < 50,
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Any) -> None:
        case.call_and_validate(checks=checks, timeout=PATIENCE_S, headers=headers)

    ask()


def test_nothing_that_is_asked_breaks_the_server_or_its_word() -> None:
    names = try_all(server(), examples=2)

    assert {"POST /api/v1/ask", "POST /api/v1/ask-pair", "POST /api/v1/corrections", "GET /api/v1/state"} <= set(names)


def test_before_anything_was_seen_refusals_are_those_of_the_document() -> None:
    assert try_all(dark_server(), examples=1, may_fail=True)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[tuple[FastAPI, dict[str, str]]]:
    """A hub with a round that runs, asked by its organiser."""
    keys, _ = make_keys("spring", tables=4, judges=("Anna",))
    store = HallStore(f"sqlite:///{tmp_path / 'hall.sqlite'}", "spring", tables=range(1, 5))
    rounds = RoundStore(store)
    rounds.put_pairings(1, [Pairing(round=1, table=1, a=Opponent(name="Ada"), b=Opponent(name="Ben"))])
    rounds.start(1, RoundStart())
    token = next(seat.token for seat in keys.seats if seat.seat == "organiser")
    yield create_hub_app(store, keys), {"Authorization": f"Bearer {token}"}
    store.close()


def test_nothing_that_is_asked_breaks_a_hub_or_its_word(hub: tuple[FastAPI, dict[str, str]]) -> None:
    app, headers = hub
    names = try_all(app, examples=2, headers=headers)

    assert {"PUT /api/v1/hall/settings", "PUT /api/v1/hall/rounds/{number}/pairings", "GET /api/v1/hall"} <= set(names)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_nothing_in_a_thousand_tries_breaks_the_server_or_its_word() -> None:
    assert len(try_all(server(), examples=100)) > 30


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_nothing_in_a_thousand_tries_breaks_a_hub_or_its_word(hub: tuple[FastAPI, dict[str, str]]) -> None:
    assert len(try_all(hub[0], examples=100, headers=hub[1])) > 20


UNTELLABLE = [math.nan, math.inf, -math.inf, "\ud800", "a\udfffb", ["\ud800"], {"\ud800": 1}]


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_no_value_that_json_cannot_tell_breaks_the_server_wherever_it_stands() -> None:
    """What the document allows, with NaN, an infinity or half a letter in one place of the body."""
    app, asked = server(), []
    with TestClient(app, raise_server_exceptions=False) as phone:
        for operation in operations(app):
            if "application/json" in operation.definition.raw.get("requestBody", {}).get("content", {}):
                _try_untellable(phone, operation, examples=40)
                asked.append(operation.label)

    assert len(asked) > 20


def _try_untellable(phone: TestClient, operation: Any, *, examples: int) -> None:
    cases = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)

    @settings(
        max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck), derandomize=True,
    )  # fmt: skip
    @given(case=cases, data=st.data())
    def ask(case: Any, data: st.DataObject) -> None:
        places = [(), *_places(case.body)] if isinstance(case.body, dict | list) else [()]
        body = _put(case.body, data.draw(st.sampled_from(places)), data.draw(st.sampled_from(UNTELLABLE)))
        path, headers = case.formatted_path, {"content-type": "application/json"}
        answer = phone.request(case.method, path, params=case.query, content=json.dumps(body), headers=headers)

        assert answer.status_code < 500, (operation.label, body, answer.text)
        assert answer.status_code < 400 or answer.headers["content-type"] == "application/problem+json"

    ask()


def _places(body: Any) -> Iterator[tuple[Any, ...]]:
    """The way to each value in this body."""
    inside = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for key, value in inside:
        yield (key,)
        yield from ((key, *rest) for rest in _places(value))


def _put(body: Any, place: tuple[Any, ...], value: Any) -> Any:
    """The same body with this value at that place."""
    if not place:
        return value
    first, *rest = place
    changed = body.copy()
    changed[first] = _put(body[first], tuple(rest), value)
    return changed


def test_an_app_that_has_ended_starts_again() -> None:
    """Whoever asks an app for its document, and then plays it, starts it more than once."""
    app = create_app(Hub(title="test table"))

    for _ in range(2):
        with TestClient(app) as phone:
            assert phone.get("/api/v1/openapi.json").status_code == 200


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


def _json_bodies(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Method, path and schema of every body, references followed."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if body is not None:
                name = body["schema"].get("$ref", "").removeprefix(REFERENCE)
                yield method, path, body | document["components"]["schemas"].get(name, {})


def _examples(body: dict[str, Any]) -> list[Any]:
    return [body["example"]] if "example" in body else body.get("examples", body["schema"].get("examples", []))


@pytest.mark.parametrize("of", ["table", "hub"])
def test_every_body_has_an_example_that_its_schema_allows(of: str, hub: tuple[FastAPI, dict[str, str]]) -> None:
    document = (server() if of == "table" else hub[0]).openapi()
    bodies = {f"{method} {path}": body for method, path, body in _json_bodies(document)}

    assert [route for route, body in bodies.items() if not _examples(body)] == []
    assert [_faults(body["schema"], example, document) for body in bodies.values() for example in _examples(body)] == (
        [[]] * len(bodies)
    )


def _faults(schema: dict[str, Any], example: Any, document: dict[str, Any]) -> list[Any]:
    whole = schema | {"components": document["components"]}
    return list(jsonschema_rs.validator_for(whole).iter_errors(example))


def test_operations_are_called_after_what_is_asked_not_after_functions() -> None:
    names = [operation["operationId"] for item in server().openapi()["paths"].values() for operation in item.values()]

    assert {"post_ask", "get_rulings_number_record_html"} <= set(names)
    assert len(names) == len(set(names))
    assert [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", name)] == []


def test_no_choice_mixes_numbers_and_words() -> None:
    """Generators of clients drop such a field, and every route whose body or answer holds it."""
    mixed = [values for values in _choices(server().openapi()) if len({type(value) for value in values}) > 1]

    assert mixed == []


def _choices(schema: Any) -> Iterator[list[Any]]:
    if isinstance(schema, dict) and isinstance(schema.get("enum"), list):
        yield schema["enum"]
    for value in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _choices(value)


def test_a_table_of_a_hall_shows_its_key_as_a_bearer(hub: tuple[FastAPI, dict[str, str]]) -> None:
    operation = hub[0].openapi()["paths"]["/api/v1/hall/tables/{number}/journal"]["post"]

    assert (operation["x-right"], operation["security"][0]) == ("table", {"bearer": []})


def test_the_list_of_routes_says_what_each_does() -> None:
    ask = server().openapi()["paths"]["/api/v1/ask"]["post"]

    assert ask["summary"] == "Answer one question, a list of them, or questions about a table with something supposed"


def test_what_needs_a_right_says_how_to_show_it() -> None:
    document = server().openapi()
    operations = [operation for item in document["paths"].values() for operation in item.values()]

    assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    assert all({"bearer": []} in operation["security"] for operation in operations if "x-right" in operation)


@pytest.mark.parametrize("of", ["table", "hub"])
def test_every_schema_has_a_name_of_its_own(of: str, hub: tuple[FastAPI, dict[str, str]]) -> None:
    """Of two classes of one name FastAPI makes `api__tables__...`, and generators leave the second out."""
    document = (server() if of == "table" else hub[0]).openapi()

    assert [name for name in document["components"]["schemas"] if "__" in name] == []


def test_every_route_that_takes_a_body_says_that_it_may_be_too_long() -> None:
    operations = [operation for path in server().openapi()["paths"].values() for operation in path.values()]

    silent = [o["operationId"] for o in operations if "requestBody" in o and "413" not in o["responses"]]

    assert silent == []
