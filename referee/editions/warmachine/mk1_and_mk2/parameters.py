"""Numbers that Mk I and HORDES Mk II share, each with the section it stands in; neither cites pages for them."""

from models.unit_conversion import inches
from referee.editions.warmachine.citations import HORDES_MK2
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
