"""Rules that read the same in both books: Prime's tables, asked under this one."""

from itertools import chain

from tests.referee.scenarios.hordes.field import again

_SAME = {
    "distance": "distance", "within": "within", "completely-within": "completely-within", "in-area": "terrain-within",
    "base-contact": "b2b", "facing": "in-front-arc", "directly-facing": "directly-facing",
    "completely-in-back-arc": "in-back-arc", "origin-of-damage": "damage-arc", "range": "range",
    "stealth": "stealth-miss", "nearest": "nearest-model", "los": "los", "los-wall": "los-terrain-volume",
    "los-cloud": "los-cloud", "los-forest": "los-forest", "intervening": "intervening-model",
    "target-legal": "target-legal", "spell-target": "spell-range", "gunfighter": "gunfighter", "trench": "trench-cover",
    "melee-obstruction-bonus": "melee-obstruction-bonus", "in-melee-group": "in-melee-group", "engaged": "engaging",
    "in-melee": "in-melee", "free-strike": "free-strike", "combined-melee-attack": "combined-melee-participants",
    "movement": "advance-distance", "rough": "rough-terrain-cost", "impassable": "advance-legal",
    "passage": "gap-fits", "beyond-table": "table-edge-stop", "enters-area": "entering",
    "placement-legal": "placement-legal", "replacement-legal": "replace-legal",
    "least-disturbance": "rule-of-least-disturbance", "charge-direction-legal": "charge-direction",
    "impact-attacks": "impact-attack", "push-path": "push-path", "slam-path": "slam-path",
    "trample-path": "trample-path", "aoe-hits": "aoe-hits", "deviation-point": "deviation-point",
    "spray-template": "spray-placement", "spray-hits": "spray-hits", "formation": "formation",
    "control-area": "control-range", "channel": "channel", "line-up": "zone-separation",
    "cross-linear-obstacle": "obstacle-cross", "out-of-formation-move": "formation-move",
    "command-range": "command-range", "shield-wall": "shield-wall", "charge-unit": "charge-unit",
    "threat-range": "threat-range",
}  # fmt: skip
SCENARIOS = tuple(chain.from_iterable(again(rule, of_prime) for rule, of_prime in _SAME.items()))
