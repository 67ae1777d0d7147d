"""Output channels of the dense network, in order: what training fills in and decoding reads back."""

KINDS = ("round", "oval", "rect")
_ROUNDS = (
    20, 22, 25, 27, 28.5, 30, 32, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 90, 100, 110, 120, 130, 150, 160,
)  # fmt: skip
_OVALS = ((60, 35), (70, 25), (75, 42), (75, 46), (90, 52), (95, 60), (105, 70), (120, 92), (150, 95), (170, 105))
_RECTS = (
    (20, 20), (25, 25), (30, 30), (40, 40), (50, 50), (60, 60), (75, 75), (100, 100), (120, 120), (150, 150), (40, 20),
    (50, 25), (60, 30), (60, 40), (75, 50), (80, 60), (100, 50), (100, 60), (100, 75), (150, 100), (60, 20), (80, 40),
)  # fmt: skip
SIZES: tuple[tuple[str, float, float], ...] = (  # kind, long and short side in mm
    *(("round", size, size) for size in _ROUNDS),
    *(("oval", long, short) for long, short in _OVALS),
    *(("rect", long, short) for long, short in _RECTS),
)
MARKINGS = ("none", "ticks", "dot", "half", "edge", "notch")
MAP_STRIDE = 2
MAPS = ("bottom rim", "top rim", "hand", "mat")

STRIDE = 8  # of the instances; maps come at MAP_STRIDE
DEEPEST = 32  # sides of what the network is given are multiples of this

_WIDTHS = {
    "heat": len(KINDS),  # chance that a base's centre is in this cell, by kind
    "offset": 2,  # of the centre from the cell's, in cells
    "sides": 2,  # log of long and short side, over 50 mm
    "spread": 2,  # log of the Laplace scale of offset (cells) and of sides (log)
    "size": len(SIZES),  # over the sizes on sale
    "axis": 2,  # cos and sin of twice the long side's angle
    "square": 2,  # of four times the angle, for squares
    "facing": 2,  # unit vector
    "marking": len(MARKINGS),
    "marked": 1,  # a mark of the facing is in sight
    "mark": 2,  # its place from the centre, over the long half side
    "ranked": 1,
    "seen": 1,  # share of the rim in sight
}
SLICES: dict[str, slice] = {}
_start = 0
for _name, _width in _WIDTHS.items():
    SLICES[_name] = slice(_start, _start + _width)
    _start += _width
INSTANCE_CHANNELS = _start
MAP_CHANNELS = len(MAPS)
UNIT_MM = 50.0  # sides are told relative to this
SHUFFLE = MAP_STRIDE  # maps are worked out at twice the stride and unfolded
