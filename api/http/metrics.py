"""Metrics: `/metrics` as Prometheus reads it, where the extra `metrics` is installed.

What is measured is asked for at each reading; nothing is counted meanwhile.
"""

import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fastapi import FastAPI, Response
from starlette.concurrency import run_in_threadpool

if TYPE_CHECKING:
    from prometheus_client.core import GaugeMetricFamily

PREFIX = "tableside_"


@dataclass(frozen=True)
class Gauge:
    """One value; those of one name differ in their labels."""

    name: str
    says: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)


Measure = Callable[[], Iterable[Gauge]]


class _Collector:
    """What Prometheus' own client collects from."""

    def __init__(self, measure: Measure) -> None:
        self._measure = measure

    def collect(self) -> Iterator["GaugeMetricFamily"]:
        from prometheus_client.core import GaugeMetricFamily

        families: dict[str, GaugeMetricFamily] = {}
        for gauge in self._measure():
            family = families.setdefault(
                gauge.name, GaugeMetricFamily(PREFIX + gauge.name, gauge.says, labels=tuple(gauge.labels))
            )
            family.add_metric(tuple(gauge.labels.values()), gauge.value)
        yield from families.values()


def add_metrics(app: FastAPI, measure: Measure) -> None:
    """Tell what is measured, and memory and processor time of the process; without the extra there is no such route."""
    if importlib.util.find_spec("prometheus_client") is None:
        return
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest

    registry = CollectorRegistry()
    ProcessCollector(registry=registry)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        """What is measured is read on the loop, as all of a table is; what Linux knows of the process, beside it."""
        gauges = tuple(measure())
        table = CollectorRegistry()
        table.register(_Collector(lambda: gauges))
        text = generate_latest(table) + await run_in_threadpool(generate_latest, registry)
        return Response(text, headers={"Cache-Control": "no-store", "Content-Type": CONTENT_TYPE_LATEST})
