"""Rules that read the same in the later books: their tables, asked under this one."""

from itertools import chain

from tests.referee.scenarios import groups
from tests.referee.scenarios.first.field import again
from tests.referee.scenarios.hordes import book as hordes

_OF_PRIME = {
    "within": "within", "completely-within": "completely-within", "facing-directly": "directly-facing",
    "damage-origin-arc": "damage-arc", "stealth-range": "stealth-miss", "melee-range": "melee-range",
    "engaging": "engaging", "engaged": "engaged", "in-melee": "in-melee", "free-strike": "free-strike",
    "combined-melee-participants": "combined-melee-participants", "advance-length": "advance-distance",
    "push-path": "push-path", "trample-path": "trample-path", "trample-free-strikes": "trample-free-strikes",
    "aoe-hits": "aoe-hits", "deviation-point": "deviation-point", "spray-hits": "spray-hits",
    "placement-legal": "placement-legal", "replacement-legal": "replace-legal", "entering-area": "entering",
    "control-area": "control-range", "channel": "channel", "cavalry-charge-path": "impact-attack",
    "command-range": "command-range", "aim-legal": "aim-legal", "threat-range": "threat-range",
}  # fmt: skip
_OF_MK2 = {
    "effect-members": "aura-members", "elevated-target": "elevation-bonus", "back-strike": "back-strike",
    "lock-integrity": "lock", "falling": "fall", "terror-range": "terror-range", "structure-target": "structure-target",
    "linear-obstacle-crossing": "cross-linear-obstacle",
}  # fmt: skip
SCENARIOS = (
    *chain.from_iterable(again(rule, later, groups.SCENARIOS) for rule, later in _OF_PRIME.items()),
    *chain.from_iterable(again(rule, later, hordes.SCENARIOS) for rule, later in _OF_MK2.items()),
)
