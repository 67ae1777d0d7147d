"""Scenario: where objectives lie, who holds them, what they score, and what rules of a written book say."""

from typing import Literal

from pydantic import Field

from models.queries.base import OPEN, PW, BaseQuery, Name, ObjectiveId, P, Place


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


class WrittenRule(BaseQuery):
    """What does this rule of the book say?

    A rule that a written book states in its own language, about `a`, `b` and `c` in the order of its `of`. Gives what
    the rule does: yes or no with `clauses`, a length, `number`, `angle_deg`, `word`, `chance` (exact, p), `totals` of
    dice, or `thing` with members by value. Margin: that of the condition that decides.
    """

    EDITIONS = OPEN
    PLACES = ("a", "b", "c")
    kind: Literal["rule"] = "rule"
    rule: Name = Field(max_length=40, description="a rule that the book names")
    a: Place | None = None
    b: Place | None = None
    c: Place | None = None
