"""Look pace: when the next look of a light table is due, by how long the last one took on this machine."""

AT_REST_S = 0.5  # two looks a second are enough to notice a hand
UNDER_HANDS_S = 0.2
LIGHT_FPS = 5.0  # asked of a camera on a cable: every picture that it sends must be decoded


def pause_after(took_s: float, *, is_hand: bool) -> float:
    """Seconds to wait after a look, until so much is over since it began; none on a machine that takes longer."""
    return max((UNDER_HANDS_S if is_hand else AT_REST_S) - took_s, 0.0)
