"""Every error as an RFC 9457 problem: one shape for HTTP, the socket and the phone."""

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from api.openapi import PROBLEM
from models.errors import BadInput, TablesideError

log = logging.getLogger(__name__)

_WHERE = {"body", "query", "path"}


def problem_response(problem: dict[str, Any], *, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse(problem, status_code=problem["status"], media_type=PROBLEM, headers=headers)


def add_problem_handlers(app: FastAPI) -> None:
    """Let nothing leave as anything but a problem."""
    app.add_exception_handler(TablesideError, _ours)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _our_fault)


async def _ours(_: Request, wrong: Exception) -> JSONResponse:
    assert isinstance(wrong, TablesideError)
    return problem_response(wrong.problem())


async def _malformed(_: Request, wrong: Exception) -> JSONResponse:
    assert isinstance(wrong, RequestValidationError)
    first = wrong.errors()[0]
    field = ".".join(str(part) for part in first["loc"] if part not in _WHERE)
    value = first.get("input")
    plain = value if isinstance(value, str | int | float | bool | None) else None
    return problem_response(BadInput(f"{field or '(whole)'}: {first['msg']}", field=field, value=plain).problem())


async def _http(_: Request, wrong: Exception) -> JSONResponse:
    assert isinstance(wrong, HTTPException)
    if wrong.status_code == 400:  # FastAPI's word for a body in which nothing can be read
        return problem_response(BadInput(wrong.detail, field="", value=None).problem())
    problem = {"type": "about:blank", "title": wrong.detail, "status": wrong.status_code, "detail": wrong.detail}
    return problem_response(problem, headers=wrong.headers)


async def _our_fault(request: Request, wrong: Exception) -> JSONResponse:
    log.error("our fault path=%s", request.url.path, exc_info=wrong)
    return problem_response(TablesideError("This is our own fault; the log says more.").problem())
