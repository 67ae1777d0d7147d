"""Scenario: where objectives lie, who holds them, and what they score."""

from typing import Literal

from models.queries.base import PW, BaseQuery, Name, ObjectiveId, P


class ScenarioLayout(BaseQuery):
    """Where do flags and zones go?

    Gives `flags` (points), `zones` (centres and diameters) and `deployment` (outlines of each side), all in mm.
    """

    EDITIONS = P
    RULES = {"warmachine-prime": "scenario-layout"}
    kind: Literal["scenario-layout"] = "scenario-layout"
    scenario: Name | None = None


class ObjectiveControl(BaseQuery):
    """Who holds that flag, zone, tower?

    Gives `controller` (a side, or none), `contested_by`, members (margin: to the limit), `by_id` (`why`), `ties`.
    """

    EDITIONS = PW
    RULES = {
        "warmachine-prime": "flag-contested flag-control zone-contested zone-control",
        "warhammer-9": "objective-control",
    }
    PLACES = ("objective",)
    kind: Literal["objective-control"] = "objective-control"
    objective: ObjectiveId


class Score(BaseQuery):
    """What do I score now?

    Gives `points`, `parts` (each objective with its points), `total` with what was scored before, and `needed`.
    """

    EDITIONS = PW
    RULES = {"warmachine-prime": "score-now", "warhammer-9": "victory-share"}
    kind: Literal["score"] = "score"
    scorer: Name | None = None
