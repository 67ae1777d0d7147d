"""Etiquette: what may be measured."""

from tests.referee.scenario import Scenario
from tests.referee.tables import mini, table

MEASURE = {"kind": "may-measure", "asked_by": "red", "query": {"kind": "distance", "a": "a", "b": "edge:near"}}
STATE = table(mini("a", 200, 200, side="red"))

SCENARIOS = (
    Scenario("measure-anything", "yes", "anything may be measured", STATE, MEASURE,
             {"answer": "yes", "value": {"licence": "free"}}),
    Scenario("measure-anything", "no", "nothing is ever hidden: no length is capped", STATE, MEASURE,
             {"value": {"cap_mm": None, "disclosed": "figures"}}),
    Scenario("measure-anything", "edge", "the enemy may measure it too", STATE, MEASURE | {"asked_by": "blue"},
             {"answer": "yes"}, exactly="nothing is at a limit in this book"),
)  # fmt: skip
