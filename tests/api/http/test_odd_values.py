"""A small share of `benchmarks.server.odd_values`, the same each time: no kind of value in any field breaks a route."""

from hypothesis import HealthCheck, Phase, given, seed, settings
from starlette.testclient import TestClient

from api.live.hub import Hub
from api.server.app import create_app
from benchmarks.server.odd_values import ODD, Case, cases, operations_of, places_in, put
from tests.api import fakes
from tests.api.worlds import frame_report, skirmish, state_line


def test_no_kind_of_value_breaks_a_route() -> None:
    hub, asked = Hub(title="test table"), list[Case]()
    hub.handle_report(frame_report(state_line(skirmish())))
    with TestClient(app := create_app(hub, ask=fakes.ask), raise_server_exceptions=False) as phone:
        document = app.openapi()

        @seed(1)
        @settings(
            max_examples=90, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(case=cases(document))
        def ask(case: Case) -> None:
            headers = {"Content-Type": case.content_type}
            answer = phone.request(case.method, case.path, content=case.body, headers=headers)
            asked.append(case)

            assert answer.status_code < 500 or answer.status_code == 503, (case, answer.text)

        ask()

    assert len({case.operation for case in asked}) > len(operations_of(document)) // 4
    assert len({case.odd.rpartition(": ")[2] for case in asked if case.odd}) > len(ODD) // 5


def test_an_odd_value_stands_in_every_place_of_a_body() -> None:
    body = {"a": [1, {"b": 2}]}

    changed = [put(body, path, "odd") for path in places_in(body)]

    assert changed == ["odd", {"a": "odd"}, {"a": ["odd", {"b": 2}]}, {"a": [1, "odd"]}, {"a": [1, {"b": "odd"}]}]
    assert body == {"a": [1, {"b": 2}]}
