"""Parameters: the numbers of the book, each with the place it stands."""

from models.unit_conversion import inches
from referee.rules.citation import cite_by_page

BOOK = "Warhammer 9th edition 1.61"
because = cite_by_page(BOOK)

# Source: The Most Important Rule, p. 12.
TOO_CLOSE = "Agree on it together. If you cannot, roll a die: on 4 or more the answer is yes (p. 12)."

CONTACT_MM = 0.5  # bases nearer than this touch; a hand's block is never perfect
SPACING_MM = inches(1)  # Source: 1" Apart, p. 15
SKIRMISH_GAP_MM = inches(0.5)  # Source: Skirmishers, p. 65
FOREST_DEPTH_MM = inches(2)  # Source: Forests, p. 92
CHEST_MM = inches(1)  # up to where a wall hides the base of an infantryman and not his body. Source: Wall, p. 96
CLOSE_MM = inches(4)  # Source: Shooting modifiers, p. 36: strictly closer
INTO_COMBAT_MM = inches(4)  # Source: Shooting into combat, p. 35
MARCH_BLOCK_MM = inches(8)  # Source: Marching, p. 23
PANIC_MM = inches(6)  # Source: Panic, p. 54
STANDARD_MM = inches(12)  # Source: Inspiring Presence, the Battle Standard, p. 85
TOWERING_MM = inches(18)  # Source: Towering, p. 67
LOOK_OUT_MM = inches(3)  # Source: Look Out Sir, p. 83
FLAME_MM = inches(8)  # Source: Templates, p. 10
PIVOT_DEG = 45.0  # Source: War Machines, p. 86

LARGE_TARGET, FEW, MANY, STEADY = 40, 5, 10, 10  # Source: Unit Strength, p. 11, 36, 46
LOOK_OUT_RANK_AND_FILE = 5  # Source: Look Out Sir, p. 83

# Source: Troop types, p. 69-73. Unit Strength of one miniature; the others count their starting Wounds.
STRENGTH = {
    "infantry": 1, "monstrous-infantry": 3, "cavalry": 2, "monstrous-cavalry": 4, "swarm": 3, "monstrous-beast": 3,
    "war-beast": 1,
}  # fmt: skip
MONSTROUS = frozenset({"monstrous-infantry", "monstrous-cavalry", "monstrous-beast"})
WIDTH_UNTOLD = frozenset({"monstrous-cavalry", "monstrous-beast", "war-beast"})
SINGLE = frozenset({"monster", "chariot", "war-machine", "shrine"})
MOUNTED = frozenset({"cavalry", "monstrous-cavalry", "chariot", "shrine"})  # Source: p. 70-73, 92
# Source: Approved bases, p. 69-73: (front, depth) in mm; a base may be larger, never smaller than the smallest.
SMALLEST_MM = {
    "infantry": (20, 20), "monstrous-infantry": (40, 40), "cavalry": (25, 25), "monstrous-cavalry": (50, 50),
    "swarm": (40, 40), "monstrous-beast": (40, 40), "war-beast": (25, 25), "monster": (50, 50), "chariot": (50, 100),
    "shrine": (40, 60),
}  # fmt: skip

# Source: p. 92-101. What closes sight and what one cannot walk into.
SOLID_KINDS = frozenset(
    {"hill", "building", "structure", "impassable", "obstruction", "terraced-obstruction", "monument", "platform"}
)
STANDING_KINDS = frozenset({"hill", "terraced-obstruction", "platform"})
OBSTACLE_KINDS = frozenset({"wall", "fence", "hedge", "obstacle", "linear-obstacle"})
NO_ENTRY_KINDS = frozenset({"impassable", "obstruction", "building", "structure", "monument", "deep-water"})
RIVER_KINDS = frozenset({"river", "shallow-water", "water"})
WATER_KINDS = RIVER_KINDS | {"deep-water"}
SOFT_KINDS = frozenset({"fence", "hedge", "forest"})  # all else that hides is hard cover

# What the book has no rules for.
UNKNOWN_TERRAIN = frozenset({"acid-bath", "burning-earth"})
