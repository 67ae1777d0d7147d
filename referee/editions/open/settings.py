"""Settings in force: what the table has chosen, as lengths and comparisons, and the words that reasons name them by."""

from models.house_rules import HOUSE_RULES
from models.queries import MayMeasure
from models.unit_conversion import inches
from models.verdict import Reason
from referee.rules.citation import cite_by_section
from referee.rules.exact_table import ExactTable
from referee.rules.licence import measure_freely
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_more_than

BOOK = "Open measuring, without a rulebook"
TOO_CLOSE = "Nobody can tell from here: agree on it together, or roll a die; the higher roll decides."
# What a line may not pass, or passes by height. Ground that is merely rough or wet closes no line.
SOLID_KINDS = frozenset(
    {"obstacle", "linear-obstacle", "wall", "fence", "hedge", "obstruction", "terraced-obstruction", "building",
     "structure", "hill", "platform", "monument"}
)  # fmt: skip
WOOD_KINDS = frozenset({"forest", "ruin"})
RAISING_KINDS = frozenset({"hill", "platform"})
IMPASSABLE_KINDS = frozenset({"obstruction", "building", "structure", "monument", "impassable", "deep-water"})
SLOW_KINDS = frozenset({"rough", "forest", "rubble", "marsh", "scree", "shallow-water", "water", "river"})
CLOUD_EFFECTS = frozenset({"cloud", "fog", "burning"})
because = cite_by_section(BOOK)
_FREE = because("when one may measure", "Any player may measure any distance at any time.")


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
    text = rule.means[chosen] if rule.readings else f"{rule.doubt}: {chosen} {rule.means['number']}"
    return because(rule.doubt, f"{text[:1].upper()}{text[1:]}.")


def may_measure(table: ExactTable, query: MayMeasure) -> RuleResult:
    """Measuring policy: always."""
    return measure_freely(table, _FREE)
