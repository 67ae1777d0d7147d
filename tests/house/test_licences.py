"""Everything that is shipped may be part of an AGPL program, and stands on the page of licences."""

import pytest

from scripts.licences import is_compatible, listed_parts, page_parts, python_parts


def test_what_a_table_and_a_hub_install_stands_on_the_page_with_its_licence() -> None:
    parts = {(part.name, part.licence) for part in python_parts()}

    assert len(parts) > 30
    assert parts - listed_parts() == set()


def test_what_is_bundled_into_the_pages_stands_on_the_page_with_its_licence() -> None:
    parts = {(part.name, part.licence) for part in page_parts()}

    assert {name for name, _ in parts} >= {"lit", "d3-zoom"}
    assert parts - listed_parts() == set()


def test_every_licence_on_the_page_may_be_part_of_an_agpl_program() -> None:
    assert [(name, licence) for name, licence in sorted(listed_parts()) if not is_compatible(licence)] == []


@pytest.mark.parametrize("licence", ["GPL-2.0-only", "MIT AND Proprietary", "none", "CC-BY-NC-4.0 OR SSPL-1.0"])
def test_other_licences_may_not(licence: str) -> None:
    assert not is_compatible(licence)


@pytest.mark.parametrize("licence", ["MIT", "Apache-2.0 OR GPL-2.0-only", "BSD-3-Clause AND (MIT OR SSPL-1.0)"])
def test_one_of_several_choices_is_enough(licence: str) -> None:
    assert is_compatible(licence)
