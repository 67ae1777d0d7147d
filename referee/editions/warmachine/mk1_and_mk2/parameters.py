"""Numbers that Mk I and HORDES Mk II share, and where HORDES Mk II has the rules it shares with Prime.

Each number names its section: neither book cites pages for them.
"""

from models.unit_conversion import inches
from models.verdict import Reason
from referee.editions.warmachine.parameters import HORDES_MK2, cite_from
from referee.rules.citation import cite_by_section

HEIGHT_MM = inches(1)  # Source: How Elevation Affects LOS; Elevated Target: ground so much higher counts
COVER_MM = inches(1)  # Source: Concealment and Cover
LEVEL_REACH_MM = inches(1)  # Source: Melee Range and Elevation: a height that melee range forgets
POWER_REACH_MM = inches(0.5)  # Source: Power Attacks
LARGE_MM, MEDIUM_MM, SMALL_MM = 50.0, 40.0, 30.0  # Source: Base Size
FALL_PLUS, FALL_FREE_MM, FALL_STEP_MM = 10, inches(3), inches(3)  # Source: Falling
GROUND_MM = inches(1)  # Source: Being Pushed; Being Slammed; Being Thrown: ground a base needs under it
PUSH_MM = inches(1)  # Source: Push
THROW_MORE_MM = inches(1)  # Source: Being Thrown: a large base throwing a small one
CLIMB_MM, CLIMBED_MM = inches(2), inches(1)  # Source: Moving over Obstacles: what it costs, and how far on it leads
THIN_MM = inches(1)  # Source: Linear Obstacles: thinner than this
DEPLOY_MM = inches(10)  # Source: Deploying Forces; the same for every player
LIGHT_CAVALRY_MM = inches(5)  # Source: Light Cavalry
TERROR_MM = inches(3)  # Source: Terrifying Entity: Abomination
WATER_DEFENCE = 7.0  # Source: Deep Water
LEAST_POWER = 14  # Source: Damaging and Destroying Structures: what a plain shot needs
because = cite_by_section(HORDES_MK2)

# By the section of Prime. What is not here no question of this book comes to.
_SECTIONS = {
    "Knockdown": "Knockdown", "Stationary Models": "Stationary Models", "Making Attacks": "Combat",
    "Out of Formation": "Out of Formation", "Unit Formation": "Unit Formation", "Wild Warbeasts": "Warlock Destruction",
    "Facing": "Facing", "Measuring Distances": "Measuring Distances", "Control Range": "Control Area",
    "Back Strikes": "Back Strikes", "Battlegroup Commander": "Battlegroups", "Forcing Warbeasts": "Fury & Forcing",
    "Unit": "Units", "'Jack Marshals": "Advantages", "Channeling": "Channeling", "Charge": "Charge",
    "Charge Examples": "Charge", "Combined Ranged Attacks": "Combined Ranged Attacks",
    "Combined Melee Attacks": "Combined Melee Attacks", "Advantages": "Advantages",
    "Concealment & Cover": "Concealment and Cover", "Forests": "Forests",
    "Rubble": "Damaging and Destroying Structures", "Cloud Effects": "Cloud Effects", "Spray Attacks": "Spray Attacks",
    "Weapon Qualities": "Weapon Qualities", "Point of Origin & Origin of Damage": "Damage Point of Origin",
    "Free Strikes": "Free Strikes", "Setup, Deployment & Victory Conditions": "Two-Player Games",
    "Free-for-All Games": "Multiplayer Games", "Base Size": "Base Size", "Obstructions": "Obstructions",
    "Scenarios": "Scenarios", "Area-of-Effect (AOE) Attacks": "Area-of-Effect (AOE) Attacks",
    "Deviation": "Deviation", "Within Vs. Completely Within": "Measuring Distances",
    "Base-to-Base & Contact": "Base to Base and Contact", "Measuring Range": "Measuring Range",
    "Model Special Rules": "Special Rules", "Spell Statistics": "Spell and Animus Statistics",
    "Rule of Least Disturbance": "Least Disturbance", "Entering": "Entering", "Falling": "Falling", "Hill": "Hills",
    "Model Statistics": "Model Statistics", "Issuing Orders": "Issuing Orders",
    "Unintentional Movement": "Being Pushed", "Trample": "Trample", "Impact Attacks": "Cavalry Charge",
    "Mount Attacks": "Mount", "Cavalry": "Cavalry", "Engaged & Engaging": "Melee Range and Engaging",
    "Melee Range": "Melee Range and Engaging", "Line of Sight & Targeting": "Line of Sight",
    "Melee Range & Elevation": "Melee Range and Elevation", "Targeting a Model in Melee": "Targeting a Model in Melee",
    "Melee Attack Roll Modifiers": "Melee Attack Modifiers", "Obstacles": "Linear Obstacles",
    "Ranged Attack Roll Modifiers": "Ranged Attack Roll Modifiers", "Magic Attack Roll Modifiers": "Magic Attacks",
    "Full Advance": "Full Advance", "Run": "Run", "End of Activation Movement": "Light Cavalry",
    "Rough Terrain": "Rough Terrain", "Normal Movement & Advancing": "Movement",
    "Corpse & Soul Tokens": "Model Destruction and Tokens", "Beyond the Play Area": "Beyond the Play Area",
    "Placed": "Placed", "Replacing Models": "Replacing Models", "Power Attacks": "Power Attacks", "Throw": "Throw",
    "Head-Butt": "Head-butt", "Slam": "Slam", "Movement Restrictions": "Movement Restrictions",
    "Ranged Attacks": "Ranged Combat", "Gunfighter": "Gunfighter", "Weapon Statistics": "Ranged Weapons",
    "Aim": "Ranged Attack Roll Modifiers", "Pushed": "Being Pushed", "Slammed": "Being Slammed",
    "Thrown": "Being Thrown", "Determining Model Volume": "Determining Model Volume",
    "Elevation & Line of Sight": "How Elevation Affects LOS", "Trenches": "Trenches",
    "Casting a Spell": "Spellcasting", "Measuring the Range of a Spell": "Measuring Range",
    "Spell Targeting": "Spell Targeting", "Casting a Spell with FOCUS": "Spellcasting",
    "Casting Spells on Out-of-Formation Troopers": "Out of Formation",
    "Variably Sized Terrain Features": "Variably Sized Terrain Features", "Standard Terrain Features": "Terrain",
    "Shallow Water": "Shallow Water", "Press Forward Order": "Issuing Orders",
    "Activating Models": "Activating Models", "Combat Actions": "Combat Actions",
    "Point of Impact & Origin of Damage": "Damage Point of Origin",
}  # fmt: skip

# By what Prime's rule says: what this book says in its place.
_SAID = {
    "Only Flight and Incorporeal lead through obstructions; nothing enters impassable.":
        "Only Incorporeal leads through obstructions; nothing enters impassable.",
    "Only Flight and Incorporeal lead through an obstruction.": "Only Incorporeal leads through an obstruction.",
    "A target in melee gains 4 DEF against ranged and magic attacks but sprays.":
        "A ranged or magic attack against a target in melee suffers 4 on its roll, but for sprays.",
    "Completely within 7 in of the edge for the first player, 10 in else.": "Completely within 10 in of the edge.",
    "2d6 + 12, and another die for each further 2 in or part of them.":
        "2d6 + 10, and another die for each 3 in, or part of them, beyond the first 3.",
    "Nobody falls off a hill.": "A hill slopes; one falls off it only where its edge is sheer.",
    "Toward: the distance never grows on the way.": "Toward: the distance shrinks all along the way.",
    "Away: the distance never shrinks on the way.": "Away: the distance grows all along the way.",
    "A channeler that is stationary or knocked down cannot channel.":
        "A channeler that is knocked down cannot channel.",
    "Across elevations the volumes are measured, not the bases.":
        "Beyond an inch of height the blow is measured from base to base in space.",
    "A charge is declared at an enemy in sight, by who has a melee range and may attack.":
        "A charge is declared at a model in sight, by who has a melee range and may attack.",
    "It has to engage its target at the end: in reach and in sight.": "It has to have its target in reach at the end.",
    "Only who is in the attacker's sight is drawn; models hide nobody.":
        "Only whom terrain does not hide from the attacker is drawn; models hide nobody.",
    "An incorporeal model is not moved by pushes, slams and throws.": "An incorporeal model is not moved by a slam.",
    "Cover takes a base completely within one trench or several joined ones.":
        "Cover takes a base completely within one trench template or several together.",
}  # fmt: skip


def cite(reason: Reason) -> Reason:
    """The same reason with the place and the words of HORDES Mk II. Source: each section it names."""
    return cite_from(HORDES_MK2, reason, _SECTIONS, _SAID)
