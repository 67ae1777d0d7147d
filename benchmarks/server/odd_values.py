"""Every route, field and kind of value at a real server: none breaks it, takes long, or costs a player time.

    python -m benchmarks.server.odd_values [--requests 3000] [--seed 1] [--books warmachine-prime,warhammer-9,open]

Hypothesis draws from the served OpenAPI document: an operation, who asks, a body that the document allows, and mostly
one field of it, or a parameter, that holds an odd value instead. Nothing may be answered with 5xx but 503, which names
its reason; nothing may take over 2 s; all processes together stay within 200 MB of rest; a player's pair is answered
within 1 s meanwhile. Times are claimed where the machine was quiet before, and told with its load where it was not.
"""

import http.client
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote, urlsplit

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from benchmarks.harness import run
from benchmarks.server.hall.server import Server, StartedTable, start_table

STATE = Path(__file__).parents[2] / "tests" / "api" / "states" / "skirmish.json"
BOOKS = "warmachine-prime,warhammer-9,hordes-mk2,open"
MOST_S, MOST_PAIR_S, MOST_RISE_MB = 2.0, 1.0, 200.0
PAIR_EVERY_S = 1.0
PATIENCE_S = 120.0
MOST_DEPTH = 5
JSON = "application/json"
_ENDLESS = {"text/event-stream", "multipart/x-mixed-replace"}
_LEFT_OUT = {"POST /api/v1/seats/renew"}  # it would take the seat from who asks for pairs
_PACKED = {"get_game_zip"}  # a process of its own packs it: as long as it takes
_HUGE = 10**400

ODD: dict[str, Any] = {
    "null": None, "true": True, "-1": -1, "0": 0, "a half": 0.5, "-0": -0.0, "1e308": 1e308, "-1e308": -1e308,
    "5e-324": 5e-324, "2^53": 2**53, "2^63": 2**63, "10^400": _HUGE, "NaN": float("nan"), "infinite": float("inf"),
    "no text": "", "blank": " ", "NUL": "\0", "half a letter": "\ud800", "ten thousand letters": "x" * 10_000,
    "right to left": "\u202emirror", "an id": "m3", "a path": "../../etc/passwd", "markup": "<script>alert(1)</script>",
    "a number as text": "1e999", "no list": [], "a thousand nulls": [None] * 1000, "no object": {},
    "another object": {"a": 1}, "two hundred lists deep": [],
}  # fmt: skip
"""Kinds of value by their names; NaN and infinities are written as JavaScript writes them."""
for _ in range(200):
    ODD["two hundred lists deep"] = [ODD["two hundred lists deep"]]
RAW = (
    b"",
    b"\0" * 1000,
    b"PK\x03\x04" + b"\0" * 100,
    b"\xff\xd8\xff\xe0" + b"\0" * 100,
    b"<roster/>",
    b"1 Trooper\n" * 50,
    b"[" * 1000,
)
"""Bodies that are no JSON."""
IDS = st.sampled_from(["m1", "m3", "m7", "m12", "red", "blue", "near", "player-a", "player-b", "nobody"])
NUMBERS = st.one_of(st.integers(-2, 60), st.floats(-40, 1300, allow_nan=False))


@dataclass(frozen=True)
class Case:
    """What is asked: `odd` names the kind of value and where it stands, null where all is as the document allows."""

    operation: str
    method: str
    path: str
    body: bytes | None
    content_type: str
    seat: str | None
    odd: str | None


def values(schema: dict[str, Any], known: dict[str, Any], depth: int = 0) -> st.SearchStrategy[Any]:
    """What this schema allows, mostly ids of the table and lengths that a table has."""
    if "$ref" in schema:
        return values(known[schema["$ref"].rpartition("/")[2]], known, depth + 1)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            inner = [one for one in schema[choice] if depth < MOST_DEPTH or "$ref" not in one] or schema[choice][:1]
            return st.one_of(*(values(one, known, depth + 1) for one in inner))
    match schema.get("type"):
        case "object":
            return _objects(schema, known, depth)
        case "array":
            return _lists(schema, known, depth)
        case "string":
            return st.one_of(IDS, st.text(max_size=min(12, schema.get("maxLength", 12))))
        case "number" | "integer":
            return _numbers(schema)
        case "boolean":
            return st.booleans()
    return st.none()


def _numbers(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    ends = [end for end in (low, high) if end is not None]
    drawn = st.integers(-2, 60) if schema["type"] == "integer" else NUMBERS
    fits = drawn.map(lambda x: x if low is None else max(x, low)).map(lambda x: x if high is None else min(x, high))
    return st.one_of(fits, st.sampled_from(ends)) if ends else fits


def _lists(schema: dict[str, Any], known: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if prefix := schema.get("prefixItems"):
        return st.tuples(*(values(one, known, depth + 1) for one in prefix)).map(list)
    least = schema.get("minItems", 0)
    most = max(least, min(schema.get("maxItems", 4), 4 if depth < MOST_DEPTH else 0))
    return st.lists(values(schema.get("items", {}), known, depth + 1), min_size=least, max_size=most)


def _objects(schema: dict[str, Any], known: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    fields, needed = schema.get("properties", {}), set(schema.get("required", ()))
    if not fields:
        inner = schema.get("additionalProperties")
        return st.dictionaries(IDS, values(inner if isinstance(inner, dict) else {}, known, depth + 1), max_size=2)
    drawn = {name: _later(one, known, depth + 1) for name, one in fields.items()}
    wanted = needed | {"kind", "do"} & set(fields)
    free = {name: value for name, value in drawn.items() if name not in wanted and depth < MOST_DEPTH}
    return st.fixed_dictionaries({name: drawn[name] for name in fields if name in wanted}, optional=free)


def _later(schema: dict[str, Any], known: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    """The values of a schema that may hold itself."""
    return st.deferred(lambda: values(schema, known, depth))


def places_in(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place of a body where something else may stand, itself the first."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in inner:
        yield from places_in(item, (*path, name))


def put(value: Any, path: Sequence[str | int], odd: Any) -> Any:
    """The same body with the odd value in that place."""
    if not path:
        return odd
    changed = value.copy()
    changed[path[0]] = put(value[path[0]], path[1:], odd)
    return changed


def cases(document: dict[str, Any]) -> st.SearchStrategy[Case]:
    """Requests of this document."""
    known = document["components"]["schemas"]
    return st.one_of(*(_cases_of(*operation, known) for operation in operations_of(document)))


def _cases_of(method: str, path: str, operation: dict[str, Any], known: dict[str, Any]) -> st.SearchStrategy[Case]:
    content = operation.get("requestBody", {}).get("content", {})
    bodies = (
        values(content[JSON]["schema"], known) if JSON in content else st.sampled_from(RAW) if content else st.none()
    )
    content_type = JSON if JSON in content else next(iter(content), JSON)
    parameters = [(one["name"], one["in"], values(one["schema"], known)) for one in operation.get("parameters", ())]
    needed = {one["name"] for one in operation.get("parameters", ()) if one.get("required")}

    @st.composite
    def case(draw: st.DrawFn) -> Case:
        odd, place = draw(st.sampled_from(list(ODD))), None
        in_body, in_parameter = JSON in content and draw(st.integers(0, 3)) > 0, draw(st.booleans())
        body = draw(bodies)
        if in_body:
            spot = draw(st.sampled_from(list(places_in(body))))
            body, place = put(body, spot, ODD[odd]), "/".join(map(str, spot)) or "all of it"
        address, query = path, list[str]()
        for name, stands_in, drawn in parameters:
            is_odd = in_parameter and not in_body and draw(st.booleans())
            value = ODD[odd] if is_odd else draw(drawn)
            place = name if is_odd else place
            text = quote(str(value)[:2000].encode(errors="surrogatepass"), safe="") or "x"
            if stands_in == "path":
                address = address.replace("{" + name + "}", text)
            elif stands_in == "query" and (is_odd or name in needed):
                query.append(f"{name}={text}")
        whole = address + (f"?{'&'.join(query)}" if query else "")
        raw = json.dumps(body).encode() if JSON in content else body
        seat = draw(st.sampled_from([None, "players", "judge"]))
        return Case(
            str(operation["operationId"]), method, whole, raw, content_type, seat, f"{place}: {odd}" if place else None
        )

    return case()


def operations_of(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """All that end by themselves."""
    return [
        (method.upper(), path, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if not _ENDLESS & operation["responses"].get("200", {}).get("content", {}).keys()
        and f"{method.upper()} {path}" not in _LEFT_OUT
    ]


def written_table(edition: str) -> dict[str, Any]:
    """The table that is asked about, by this book; what a book has no cards for has none."""
    state: dict[str, Any] = json.loads(STATE.read_text()) | {"edition": edition}
    if edition != "warmachine-prime":
        for miniature in state["miniatures"]:
            miniature.pop("profile", None)
    return state


@dataclass
class Findings:
    """What came of the requests to one server."""

    answers: Counter[int] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    pairs_s: list[float] = field(default_factory=list)
    rest_mb: float = 0.0
    most_mb: float = 0.0
    operations: set[str] = field(default_factory=set)

    def note(self, case: Case, status: int, took_s: float) -> None:
        says = f"{status} after {took_s:.1f} s: {case.operation} as {case.seat}, {case.odd}: "
        says += f"{case.path[:200]} {(case.body or b'')[:300]!r}"
        self.answers[status] += 1
        self.operations.add(case.operation)
        if (status >= 500 and status != 503) or status == 0:
            self.broken.append(says)
        if took_s > MOST_S and case.operation not in _PACKED:
            self.slow.append(says)


class Asker:
    """Asks one server as who has these seats."""

    def __init__(self, table: StartedTable) -> None:
        address = urlsplit(table.server.url)
        self._host, self._port = str(address.hostname), int(address.port or 80)
        self._tokens = {
            door: self._join(str(table.told["join"][door]).rsplit("/", 1)[1]) for door in ("players", "judge")
        }

    def ask(self, case: Case) -> tuple[int, float]:
        """The status, 0 where no answer came, and after how long."""
        headers = {"Content-Type": case.content_type}
        if case.seat is not None:
            headers["Authorization"] = f"Bearer {self._tokens[case.seat]}"
        began_s = time.monotonic()
        try:
            status, _ = self._request(case.method, case.path, case.body, headers)
        except (OSError, http.client.HTTPException):
            status = 0
        return status, time.monotonic() - began_s

    def pair_s(self, a: str, b: str) -> float:
        """How long a player waits for the sheet of two."""
        headers = {"Content-Type": JSON, "Authorization": f"Bearer {self._tokens['players']}"}
        began_s = time.monotonic()
        self._request("POST", "/api/v1/ask-pair", json.dumps({"a": a, "b": b}).encode(), headers)
        return time.monotonic() - began_s

    def read_document(self) -> dict[str, Any]:
        return dict(json.loads(self._request("GET", "/api/v1/openapi.json", None, {})[1]))

    def _join(self, code: str) -> str:
        body = json.dumps({"code": code}).encode()
        return str(json.loads(self._request("POST", "/api/v1/join", body, {"Content-Type": JSON})[1])["token"])

    def _request(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        line = http.client.HTTPConnection(self._host, self._port, timeout=PATIENCE_S)
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read()
        finally:
            line.close()


def measure(edition: str, *, requests: int, seed_: int) -> Findings:
    """Ask a fresh server by this book so many times."""
    with TemporaryDirectory() as folder:
        state = Path(folder) / "state.json"
        state.write_text(json.dumps(written_table(edition)))
        with start_table("serve", "--state", str(state), "--data", str(Path(folder) / "table")) as table:
            asker, findings, over = Asker(table), Findings(), threading.Event()
            document = asker.read_document()
            for other in ("m3", "m7", "m10"):  # until the workers have begun
                asker.pair_s("m1", other)
            findings.rest_mb = findings.most_mb = _memory_mb(table.server)
            beside = threading.Thread(target=_play, args=(table.server, asker, findings, over))
            beside.start()
            try:
                _ask_all(document, asker, findings, requests=requests, seed_=seed_)
            finally:
                over.set()
                beside.join()
    return findings


def _ask_all(document: dict[str, Any], asker: Asker, findings: Findings, *, requests: int, seed_: int) -> None:
    @seed(seed_)
    @settings(
        max_examples=requests,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=cases(document))
    def ask(case: Case) -> None:
        findings.note(case, *asker.ask(case))

    ask()


def _play(server: Server, asker: Asker, findings: Findings, over: threading.Event) -> None:
    """A player taps pair after pair, and the memory of all processes is read."""
    k = 0
    while not over.wait(PAIR_EVERY_S):
        k += 1
        findings.pairs_s.append(asker.pair_s(f"m{k % 8 + 1}", f"m{k % 7 + 9}"))
        findings.most_mb = max(findings.most_mb, _memory_mb(server))


def _memory_mb(server: Server) -> float:
    try:
        return sum(server.memory_mb().values())
    except OSError:  # a worker has just ended
        return 0.0


def report(edition: str, findings: Findings, *, is_quiet: bool) -> bool:
    """Print what was found; whether all is as it must be."""
    rise_mb, worst_pair_s = findings.most_mb - findings.rest_mb, max(findings.pairs_s, default=0.0)
    print(f"{edition}: {sum(findings.answers.values())} requests of {len(findings.operations)} operations: ", end="")
    print(", ".join(f"{status} x {count}" for status, count in sorted(findings.answers.items())))
    print(
        f"  broken: {len(findings.broken)}; over {MOST_S:.0f} s: {len(findings.slow)}; "
        f"memory +{rise_mb:.0f} MB over {findings.rest_mb:.0f}"
    )
    print(f"  a player's pair: {len(findings.pairs_s)} times, worst {worst_pair_s:.2f} s", flush=True)
    for says in (*findings.broken[:10], *findings.slow[:10]):
        print(f"  {says}")
    is_in_time = not findings.slow and worst_pair_s <= MOST_PAIR_S
    return not findings.broken and rise_mb <= MOST_RISE_MB and (is_in_time or not is_quiet)


def main(requests: int = 3000, seed: int = 1, books: str = BOOKS) -> None:
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    is_quiet = load < cores / 2
    print(
        f"{cores} cores, load {load:.1f}: times are {'claimed' if is_quiet else 'told, and claim nothing'}", flush=True
    )
    is_well = [
        report(edition, measure(edition, requests=requests, seed_=seed), is_quiet=is_quiet)
        for edition in books.split(",")
    ]
    raise SystemExit(0 if all(is_well) else 1)


if __name__ == "__main__":
    run(main)
