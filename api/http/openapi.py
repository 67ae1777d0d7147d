"""OpenAPI document: every route with all it may answer, problems included.

A dependency tells by its attribute `raises` which of our errors it may raise, so whoever uses it need not; a route
tells the others with `responses=problems(...)`.
"""

import json
import re
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, TypeVar

from fastapi import FastAPI, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute, iter_route_contexts

from api.errors import TooMuch
from api.live.messages import Problem
from models.errors import BadInput, TablesideError

PATH = "/api/v1/openapi.json"
PROBLEM = "application/problem+json"
REF = "#/components/schemas/{model}"
_DEFAULT = {"HTTPValidationError", "ValidationError"}  # what FastAPI would answer; we answer with problems

_SECURITY = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "the token that `join` tells once; a table of a hall sends its key",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "tableside-PORT",
        "description": "what `join` sets in a browser",
    },
}

Dependency = TypeVar("Dependency", bound=Callable[..., Any])


Responses = dict[int | str, dict[str, Any]]


def media_response(media_type: str) -> Responses:
    """A whole answer that is no JSON, as a route's `responses`."""
    return {200: {"content": {media_type: {"schema": {"type": "string", "format": "binary"}}}}}


def problem_responses(*errors: type[TablesideError]) -> Responses:
    """These errors as a route's `responses`."""
    statuses: dict[int | str, list[type[TablesideError]]] = {}
    for error in errors:
        statuses.setdefault(error.status, []).append(error)
    return {status: _problem_response(those) for status, those in statuses.items()}


def raises(*errors: type[TablesideError]) -> Callable[[Dependency], Dependency]:
    def declare_errors(deed: Dependency) -> Dependency:
        deed.raises = errors  # type: ignore[attr-defined]
        return deed

    return declare_errors


def add_openapi(app: FastAPI) -> None:
    """Let the server tell its whole document. It takes a second to make, so it is not made on the event loop."""
    making = Lock()
    written: list[bytes] = []

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _build_document(app)
        return app.openapi_schema

    def tell(_: Request) -> Response:
        with making:
            if not written:
                written.append(json.dumps(document(), ensure_ascii=False, separators=(",", ":")).encode())
        return Response(written[0], media_type="application/json")

    app.openapi = document  # type: ignore[method-assign]
    app.add_route(PATH, tell, include_in_schema=False)


def _build_document(app: FastAPI) -> dict[str, Any]:
    schema = get_openapi(
        title=app.title,
        version=app.version,
        description=app.description,
        routes=app.routes,
        separate_input_output_schemas=False,
    )
    schema.setdefault("components", {})["securitySchemes"] = _SECURITY
    components = schema["components"].setdefault("schemas", {})
    components["Problem"] = _problem_schema()
    for route in _documented_routes(app):
        for method in route.methods or ():
            operation = schema["paths"][route.path_format][method.lower()]
            operation["operationId"] = operation_id(method, route.path_format)
            operation["summary"] = operation["description"].split("\n\n")[0].split(". ")[0].rstrip(".")
            _add_problems(operation, route.dependant)
    for path in schema["paths"].values():
        for operation in path.values():
            _lift_definitions(operation, components)
    for name in _DEFAULT:
        components.pop(name, None)
    return schema


def operation_id(method: str, path: str) -> str:
    """What a generated client calls the route: its method and its path, whatever the function behind it is called."""
    steps = [step.replace("_}", "}") for step in path.removeprefix("/api/v1").split("/")]
    return re.sub(r"\W+", "_", "_".join((method.lower(), *(step.strip("{}") for step in steps if step))))


def _problem_schema() -> dict[str, Any]:
    """The shape of every problem; RFC 9457 lets it say more than these."""
    schema = Problem.model_json_schema(ref_template=REF)
    schema["properties"]["value"] = {"description": "what was told there"}
    return {name: part for name, part in schema.items() if name != "$defs"} | {"additionalProperties": True}


def _documented_routes(app: FastAPI) -> Iterator[Any]:
    """Every route that stands in the document, as it is after all inclusion of routers."""
    for route in iter_route_contexts(app.routes):
        if isinstance(route.original_route, APIRoute) and route.original_route.include_in_schema:
            yield route


def _add_problems(operation: dict[str, Any], dependant: Dependant) -> None:
    """Document what the route's dependencies raise, and problems where FastAPI documents its own errors."""
    raised = {"422": _problem_response([BadInput])} if "422" in operation["responses"] else {}
    errors = (*_raised_errors(dependant), *((TooMuch,) if "requestBody" in operation else ()))
    raised |= {str(status): response for status, response in problem_responses(*errors).items()}
    documented = {status: response for status, response in operation["responses"].items() if not _is_default(response)}
    operation["responses"] = raised | documented
    if rights := [right for inner in dependant.dependencies if (right := _right_of(inner.call))]:
        operation["x-right"] = rights[0]
        operation["security"] = [{name: []} for name in _SECURITY]


def _right_of(dependency: object) -> str | None:
    """The right that it looks at, or the key."""
    return getattr(dependency, "right", None) or getattr(dependency, "key", None)


def _raised_errors(dependant: Dependant) -> Iterator[type[TablesideError]]:
    yield from getattr(dependant.call, "raises", ())
    for inner in dependant.dependencies:
        yield from _raised_errors(inner)


def _is_default(response: dict[str, Any]) -> bool:
    schema = response.get("content", {}).get("application/json", {}).get("schema", {})
    return str(schema.get("$ref", "")).endswith("/HTTPValidationError")


def _problem_response(errors: list[type[TablesideError]]) -> dict[str, Any]:
    schema = {"$ref": REF.format(model="Problem")}
    says = "; ".join(f"{error.title} (`{error.code}`)" for error in errors)
    return {"description": says, "content": {PROBLEM: {"schema": schema}}}


def _lift_definitions(operation: dict[str, Any], components: dict[str, Any]) -> None:
    """A body's own definitions stand among those of the document, where its references look for them."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        for name, definition in content.get("schema", {}).pop("$defs", {}).items():
            components.setdefault(name, definition)
