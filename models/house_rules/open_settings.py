"""Settings of the open edition: what a game decides about measuring, each chosen once for a table, and presets.

A preset is a named choice of many settings at once; whatever a table chooses besides outweighs it.
"""

from models.house_rules.house_rule import HouseRule, declare_number, declare_setting

PRESET_KEY = "open-preset"

_MEASURES: tuple[HouseRule, ...] = (
    declare_setting(PRESET_KEY, "which family of games the settings are those of", "plain",
        {"plain": "edge to edge, any clear line is sight, walls count by their height",
        "skirmish-true-sight": "any clear line past walls and figures by height; cover near a feature on the line",
        "skirmish-centre": "centre to centre for distance and sight; cover where the line crosses a feature",
        "massed-ranks": "sight from the centre to both edges, front quarters by corners, figures block",
        "area-terrain": "woods and ruins block unless one is inside; cover by the hidden half of the base"}),
    declare_setting("open-measure", "from where to where one measures", "edge",
        {"edge": "from the edge of one base to the nearest edge of the other",
        "centre": "from the middle of one base to the middle of the other",
        "hull": "from the outline of the body to the other's, where one is told; else from the edge of the base"}),
    declare_setting("open-limit", "whether exactly at a limit is enough", "met",
        {"met": "exactly at the limit counts", "not-met": "it has to be less than the limit"}),
    declare_number("open-hair-mm", "a hair over", "0", "millimetres over a limit that still count", most=25.0),
    declare_setting("open-vertical", "how a difference in height counts in a distance", "plan",
        {"plan": "not at all: distances are seen from above",
        "space": "as the straight line through the air between the bodies",
        "added": "the height is added to the distance seen from above"}),
    declare_number("open-body-mm", "how tall a figure is", "40", "millimetres from the base, where nobody has told",
        most=1000.0),
)  # fmt: skip

_SIGHT: tuple[HouseRule, ...] = (
    declare_setting("open-sight", "which line has to be clear to see", "any-part",
        {"any-part": "any one line from some part of one base to some part of the other",
        "centre-to-centre": "the line from middle to middle",
        "centre-to-edges": "both lines from the viewer's middle to the outermost edges of the target",
        "share": "so much of the target's base, seen from the viewer's middle",
        "body": "so much of the target's body, seen from the viewer's eye above its middle"}),
    declare_number("open-sight-share", "how much has to be seen", "50", "percent of the target's base or body",
        most=100.0),
    declare_number("open-eye-percent", "how high the eye is", "90", "percent of the viewer's height", most=100.0),
    declare_setting("open-sight-front", "whether one sees to the front only", "all-round",
        {"all-round": "one sees all round", "front": "the target has to be in the front arc, too"}),
    declare_setting("open-solid", "what walls, buildings and hills do to a line", "by-height",
        {"by-height": "the line ends where it passes below their top",
        "block": "no line passes, however tall the figures are", "nothing": "all lines pass"}),
    declare_setting("open-woods", "what woods and ruins do to a line", "depth",
        {"depth": "a line passes so much of it, and only where one of its ends is inside",
        "block-unless-inside": "no line passes, unless one of the two stands in it", "block": "no line passes",
        "nothing": "all lines pass"}),
    declare_number("open-woods-in", "how deep a line passes woods", "3", "inches", most=100.0),
    declare_setting("open-figures", "what other figures do to a line", "by-height",
        {"by-height": "the line ends where it passes below their top", "block": "no line passes over their bases",
        "nothing": "all lines pass"}),
    declare_setting("open-arc-from", "where the lines of an arc start", "centre",
        {"centre": "in the middle of the base", "corners": "at the corners of the base, where it has any"}),
    declare_number("open-arc-deg", "how wide the front arc is", "180", "degrees", most=360.0),
    declare_setting("open-arc-counts", "how much of a target has to be in an arc", "any-part",
        {"any-part": "any part of its base", "centre": "its middle", "all": "all of its base"}),
)  # fmt: skip

_PLAY: tuple[HouseRule, ...] = (
    declare_setting("open-cover", "when a target has cover", "crossed",
        {"crossed": "the line from middle to middle crosses a feature",
        "near": "the line crosses a feature that the target is near",
        "share": "features hide so much of its base from the middle of the attacker",
        "lines": "so many of the lines from the middle of the attacker to the rim of its base cross a feature"}),
    declare_number("open-cover-in", "how near a feature one has to be", "1", "inches to its edge", most=100.0),
    declare_number("open-cover-share", "how much has to be hidden", "50",
        "percent of the target's base or of the lines", most=100.0),
    declare_setting("open-cover-inside", "whether standing in a feature is cover", "centre",
        {"centre": "where the middle of the base is inside", "any-part": "where any part of it is",
        "all": "where all of it is", "no": "it is not"}),
    declare_number("open-engage-in", "how near engages", "1", "inches", most=100.0),
    declare_setting("open-engage-sight", "whether engaging takes sight", "no", {"no": "near is enough",
        "yes": "one has to see the other, too"}),
    declare_setting("open-coherency", "what keeps a unit together", "one", {"one": "each is near at least one other",
        "two": "each is near at least two others", "all": "each is near every other"}),
    declare_number("open-coherency-in", "how near that is", "2", "inches", most=100.0),
    declare_setting("open-template", "how much of a base a template has to cover", "any-part",
        {"any-part": "any part", "centre": "the middle", "all": "all of it"}),
    declare_setting("open-pass", "through whom one may move", "nobody", {"nobody": "through nobody",
        "friends": "through friends", "everybody": "through everybody"}),
    declare_setting("open-rough", "what rough ground costs", "double", {"double": "every length in it counts twice",
        "nothing": "nothing"}),
)  # fmt: skip

OPEN_SETTINGS: tuple[HouseRule, ...] = (*_MEASURES, *_SIGHT, *_PLAY)

PRESETS: dict[str, dict[str, str]] = {
    "plain": {},
    "skirmish-true-sight": {"open-cover": "near", "open-coherency": "one", "open-pass": "friends"},
    "skirmish-centre": {"open-measure": "centre", "open-sight": "centre-to-centre", "open-figures": "nothing",
        "open-template": "centre"},
    "massed-ranks": {"open-sight": "centre-to-edges", "open-sight-front": "front", "open-arc-from": "corners",
        "open-arc-deg": "90", "open-figures": "block", "open-engage-in": "0.04", "open-cover": "share"},
    "area-terrain": {"open-woods": "block-unless-inside", "open-figures": "nothing", "open-vertical": "space",
        "open-cover": "share", "open-engage-in": "1", "open-coherency-in": "2"},
}  # fmt: skip
"""What each preset chooses otherwise than the defaults, by its name."""
