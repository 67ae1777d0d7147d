"""Words of the open edition, which has no book: a reason names the setting that decides instead of a section."""

from referee.rules.citation import cite_by_section

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
