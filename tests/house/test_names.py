"""Our packages have plain names; these tests see to it that nothing installed has the same."""

import sys
from importlib.metadata import Distribution, distributions

from tests.house.sources import PACKAGES


def test_no_installed_distribution_has_a_package_of_our_names() -> None:
    wrong = [
        f"{distribution.name} brings {top}"
        for distribution in distributions()
        if distribution.name != "tableside"
        for top in _top_names(distribution) & set(PACKAGES)
    ]

    assert wrong == []


def test_the_names_of_installed_packages_are_read_at_all() -> None:
    """The test above would pass on an empty list."""
    found = {top for distribution in distributions() for top in _top_names(distribution)}

    assert {"numpy", "cv2", "shapely", "pydantic", "fastapi"} <= found


def test_no_module_of_the_language_has_our_names() -> None:
    assert not set(PACKAGES) & sys.stdlib_module_names


def _top_names(distribution: Distribution) -> set[str]:
    return {path.parts[0].removesuffix(".py") for path in distribution.files or () if path.parts[0] != ".."}
