"""Numbers of the shared chapters, each with the place it stands in WARMACHINE: Prime, and how older books cite it.

The chapters of this package are written in the words and pages of WARMACHINE: Prime, those of `mk1_and_mk2` in the
words and sections of HORDES Mk II. A book that shares a rule translates both into its own: `Edition.cite`.
"""

from collections.abc import Mapping

from models.unit_conversion import inches
from models.verdict import Reason, Source
from referee.rules.citation import cite_by_page
from referee.rules.size_classes import SizeClasses

PRIME = "WARMACHINE: Prime Rules Digest (2016)"
HORDES_MK2 = "HORDES Mk II field test"

# Source: Determining Model Volume, p. 37. Base diameter to height of the volume above the bottom of the base.
VOLUME_MM = {30.0: inches(1.75), 40.0: inches(2.25), 50.0: inches(2.75), 120.0: inches(5)}
MEDIUM_MM = 40.0  # Source: Base Size, p. 21
HUGE_MM = 120.0  # Source: Base Size, p. 21
STEALTH_MM = inches(5)  # Source: Advantages, p. 17
FOREST_DEPTH_MM = inches(3)  # Source: Forests, p. 79
NEAR_TARGET_MM = inches(1)  # Source: Elevation & Line of Sight, p. 78
DEFAULT_REACH_MM = inches(0.5)  # Source: Melee Range, p. 43; Mount Attacks, p. 75
FOCUS_INDUCTION_MM = inches(6)  # Source: Focus Induction, p. 95
COVER_MM = inches(1)  # Source: Concealment & Cover, p. 50
CHARGE_ATTACK_MM = inches(3)  # Source: Charge, p. 31
FAR_MM = 1000.0  # a margin that nothing on the table can flip
SPILL_REACH_MM = inches(2)  # the longest reach usual on a card: beyond it an untold profile does not matter

# Source: Standard Terrain Features, p. 78-81, and Cloud Effects, p. 60. What closes sight, and how.
SOLID_KINDS = frozenset(
    {"obstacle", "linear-obstacle", "wall", "fence", "hedge", "obstruction", "terraced-obstruction", "building",
     "structure", "hill", "platform", "impassable"}
)  # fmt: skip
ELEVATING_KINDS = frozenset({"hill", "terraced-obstruction", "platform"})
CLOUD_EFFECTS = frozenset({"cloud", "fog", "burning"})
CLOUD_TERRAIN = frozenset({"burning-earth"})
SHALLOW_WATER = frozenset({"shallow-water", "water", "acid-bath"})  # Source: Shallow Water, p. 79; Acid Bath, p. 81
because = cite_by_page(PRIME)
SIZES = SizeClasses(tuple(VOLUME_MM), because("Base Size", 21, "Bases are small, medium, large or huge."))


def cite_from(book: str, reason: Reason, sections: Mapping[str, str], texts: Mapping[str, str]) -> Reason:
    """The same reason in a book: its section by the other book's, its words where they differ.

    What the book has no section for it does not say: that is cited from where it is borrowed.
    """
    section = sections.get(reason.source.section)
    if reason.source.book == book or section is None:
        return reason
    says = texts.get(reason.says, reason.says)
    return Reason(source=Source(book=book, section=section), says=says, effect=reason.effect)
