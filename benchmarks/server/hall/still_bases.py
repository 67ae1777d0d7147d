"""Bases that a finger can hit: those that stand alone and stay where they are."""

import math

from playwright.sync_api import Page


def still_bases(page: Page, *, for_ms: float = 700.0) -> list[str]:
    """Ids of the bases that stand alone and stay where they are, left to right: nobody taps what is in a hand."""
    before = _lone_bases(page)
    page.wait_for_timeout(for_ms)
    return [id_ for id_, at in _lone_bases(page).items() if id_ in before and math.dist(at, before[id_]) < 1]


def _lone_bases(page: Page, *, apart_px: float = 34.0) -> dict[str, tuple[float, float]]:
    """Bases that a finger on the whole table cannot mistake for another, left to right, and where they are on it."""
    rims = page.locator(".base").evaluate_all(
        "all => all.map((one) => { const box = one.querySelector('.rim').getBoundingClientRect();"
        " return [one.dataset.id, box.x + box.width / 2, box.y + box.height / 2]; })"
    )
    near = [min(math.dist(one[1:], other[1:]) for other in rims if other is not one) for one in rims]
    lone = [one for one, gap in zip(rims, near, strict=True) if gap > apart_px]
    return {id_: (x, y) for id_, x, y in sorted(lone, key=lambda one: one[1])}
