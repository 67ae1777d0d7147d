"""Best heading of a flame template: the one along which it may lie and hits the most enemies."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import SprayHits
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.shooting.templates import bases_near_template
from referee.editions.warhammer_9.units.regiment import are_friends, members_of
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area
from referee.rules.exact_table import ExactTable

_STEP_DEG = 1.0
Laid = Callable[[ExactTable, float], tuple[Area, float]]
"""Where the template lies along a heading, and the least margin of what it has to keep to."""


@dataclass(frozen=True)
class FlameAim:
    """One heading, and whom the flame then hits."""

    heading_deg: float
    enemies: tuple[str, ...]
    friends: tuple[str, ...]
    margin_mm: float

    @property
    def worth(self) -> tuple[bool, int, float]:
        return self.margin_mm >= 0, len(self.enemies) - len(self.friends), self.margin_mm

    def value(self) -> dict[str, JsonValue]:
        enemies: list[JsonValue] = [*self.enemies]
        return {"heading_deg": self.heading_deg % 360.0, "enemies": enemies, "friends": [*self.friends]}


def find_best_flame(table: ExactTable, query: SprayHits, facing_deg: float, lay: Laid) -> FlameAim:
    """The best of the headings in its front, degree by degree, on the table at rest.

    Source: Breath Weapons, p. 57; Fire Throwers, p. 91.
    """

    def find(still: ExactTable) -> FlameAim:
        most = int(parameters.PIVOT_DEG / _STEP_DEG)
        headings = (facing_deg + k * _STEP_DEG for k in range(-most, most + 1))
        return max((_aim_along(still, query, heading, lay) for heading in headings), key=lambda aim: aim.worth)

    return table.memoize_unperturbed(("best flame", query), find)


def _aim_along(table: ExactTable, query: SprayHits, heading_deg: float, lay: Laid) -> FlameAim:
    template, margin = lay(table, heading_deg)
    near = bases_near_template(table, template, but=members_of(table, query.attacker))
    hit = [id_ for id_ in near if area_gap(template, Area((table.base(id_),))).mm < 0]
    friends = tuple(id_ for id_ in hit if are_friends(table, query.attacker, id_))
    return FlameAim(heading_deg, tuple(id_ for id_ in hit if id_ not in friends), friends, margin)
