"""Citation: where a shared rule stands, in this book where it has an entry of its own, else in the later one.

This book amends others that are not at hand; what only the later book holds is cited from there, so that players see
that it is borrowed. What it leaves open is taken over from the next edition of HORDES too, as the house rule
`missing-text` says.
"""

from models.verdict import Reason, Source
from referee.editions.warmachine.mk1_and_mk2 import parameters
from referee.rules.citation import cite_by_section

BOOK = "WARMACHINE Errata & FAQ"
because = cite_by_section(BOOK)

# By the section of HORDES Mk II: the entry of this book that says the same.
_ENTRIES = {
    "Area-of-Effect (AOE) Attacks": "Area-of-Effect Attacks, Prime p. 47", "Back Strikes": "Back Strikes, Prime p. 48",
    "Being Pushed": "Push, Prime p. 44", "Being Slammed": "Being Slammed, Prime p. 42",
    "Being Thrown": "Being Thrown, Prime p. 43", "Beyond the Play Area": "Leaving the Playing Area, Prime p. 34",
    "Cavalry Charge": "Cavalry Charge, Superiority p. 12", "Channeling": "Channeling, Prime p. 56",
    "Charge": "Charging, Prime p. 35", "Combined Melee Attacks": "Combined Melee Attacks, Prime p. 49",
    "Combined Ranged Attacks": "Combined Ranged Attacks, Prime p. 49", "Control Area": "Control Area, Prime p. 53",
    "Measuring Control Areas": "Measuring Control Area, Prime p. 53", "Combat": "Q/A: attack another model in melee",
    "Damage Point of Origin": "Origin of Damage, Prime p. 48", "Weapon Qualities": "Shields, Prime p. 40",
    "Double-Hand Throw": "Double-Hand Throw, Apotheosis p. 27", "Elevated Target": "Elevated Target, Prime p. 177",
    "Entering": "Q/A: enter", "Facing": "Q/A: front and back arc", "Fearless Models": "Fearless Models, Prime p. 58",
    "Fleeing": "Fleeing, Prime p. 58", "Forfeiting": "Movement, Prime p. 34",
    "Activating Models": "Activation Phase, Prime p. 32", "Free Strikes": "Free Strikes, Prime p. 40",
    "Full Advance": "Advancing, Prime p. 35", "Line of Sight": "Line of Sight, Prime p. 33",
    "Linear Obstacles": "Obstacles & Obstructions, Prime p. 60", "Knockdown": "Knockdown, Prime p. 49",
    "Maintaining Locks and Being Locked": "Armlock/Headlock, Prime p. 43", "Placed": "Movement, Prime p. 34",
    "Measuring Distances": "General Guidelines, Prime p. 21", "Melee Range and Engaging": "Melee Range, Prime p. 39",
    "Inert Warjacks": "Inert Warjack, Prime p. 178", "Assault": "General Rules, Q/A on Assault",
    "Allocating Focus Points": "Control Area, Prime p. 53", "Spell Targeting": "Spell Targeting, Prime p. 54",
    "Rallying": "Rallying, Prime p. 58",
    "Power Attacks": "Power Attacks, Prime p. 41", "Slam": "Slam, Prime p. 41", "Throw": "Throw, Prime p. 43",
    "Ranged Attack Roll Modifiers": "Aiming, Remix p. 45", "Replacing Models": "Replacing Models, Prime p. 48",
    "Spellcasting": "Casting Spells, Prime p. 54", "Spray Attacks": "Spray Attacks, Prime p. 47",
    "Stationary Models": "Stationary Targets, Prime p. 49", "Trample": "Trample, Apotheosis p. 27",
    "Targeting a Model in Melee": "Targeting a Model in Melee, Prime p. 46", "Movement": "Movement, Prime p. 34",
    "Terrifying Entity": "Terrifying Entity, Prime p. 57", "Unit Formation": "Unit Formation, Prime p. 36",
    "Out of Formation": "Unit Formation, Prime p. 36", "Issuing Orders": "Issuing Orders, Prime p. 58",
}  # fmt: skip

# By what the later book says: what this one says in its place.
_SAID = {
    "One straight line between the volumes is enough, to a part in the front arc.":
        "One straight line is enough, from over the centre of the base through the front arc.",
    "Who advances out of an enemy's reach or sight is struck just before it does.":
        "Who moves out of an enemy's melee range is struck just before it does.",
    "An enemy in reach and in sight is engaged.": "An enemy in reach that terrain does not shut off is engaged.",
    "Not when the attack comes from one who is in melee with it.":
        "Not of a spell that comes from one who is in melee with it.",
    "To aim it must neither move nor turn in its Normal Movement, and must not be in melee.":
        "It aims by giving up its movement: it neither moves nor turns.",
    "A fleeing model runs, as far as it likes, and not toward any enemy.":
        "A fleeing model runs all it can, away from the nearest threat and toward its own edge.",
    "Rough ground halves the rate of a charge and does not stop it.":
        "What slows to half rate ends no charge; rough ground does.",
    "It gets there when the target ends within half an inch, or 2 in of a colossal.":
        "It gets there when the target ends within half an inch.",
    "Free strikes come after the attacks, though not from small bases it ran over.":
        "Free strikes come after the attacks, though not from those that were hit.",
    "The control range is twice the current stat in inches, from the base edge.":
        "The control area reaches twice the printed stat in inches from the base edge.",
    "Friend or foe may be the target, when the attacker sees it.":
        "Friend or foe may be the target of a blow that has a line to what of it is in reach.",
}  # fmt: skip


def cite(reason: Reason) -> Reason:
    """The reason with the entry of this book, where it has one. Source: each entry it names."""
    if reason.source.book == BOOK:
        return reason
    later = parameters.cite(reason)
    says = _SAID.get(later.says, later.says)
    entry = _ENTRIES.get(later.source.section)
    source = later.source if entry is None else Source(book=BOOK, section=entry)
    return Reason(source=source, says=says, effect=later.effect)
