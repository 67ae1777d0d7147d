"""Settings in force: what the table has chosen, as lengths and comparisons that rules use."""

from models.house_rules import HOUSE_RULES
from models.unit_conversion import inches
from models.verdict import Reason
from referee.editions.open.parameters import because
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least, is_more_than


def number_of(table: ExactTable, key: str) -> float:
    """The number that was chosen for a numeric setting."""
    return float(table.reading(key))


def length_mm(table: ExactTable, key: str) -> float:
    """The length in millimetres that was chosen in inches."""
    return inches(number_of(table, key))


def is_limit_met(table: ExactTable) -> bool:
    """Whether exactly at a limit is enough."""
    return table.reading("open-limit") == "met"


def with_hair_mm(table: ExactTable, limit_mm: float) -> float:
    """The limit with what a hair over still counts; both belong to the limit that is compared."""
    return limit_mm + number_of(table, "open-hair-mm")


def is_inside(table: ExactTable, depth_mm: float, clause: str, on: tuple[str, ...]) -> bool:
    """Whether so deep is inside; exactly at the rim as limits are met. In the trace: by how much."""
    compare = is_at_least if is_limit_met(table) else is_more_than
    return compare(depth_mm, 0.0, clause, on)


def explain_setting(table: ExactTable, key: str) -> Reason:
    """The setting that decides, with what it does as it is chosen."""
    rule, chosen = HOUSE_RULES[key], table.reading(key)
    told = rule.means[chosen] if rule.readings else f"{rule.doubt}: {chosen} {rule.means['number']}"
    return because(rule.doubt, f"{told[:1].upper()}{told[1:]}.")
