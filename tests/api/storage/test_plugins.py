"""The example package is used by its names; what fails or clashes is named, and all else goes on."""

import pytest

from api.camera.plugin_detector import finder_maker
from api.cli.table_options import read_edition
from api.diagnosis.machine import check_program
from api.errors import BadRoster
from api.rosters.read import read_roster
from api.storage.plugins import TAKEN, Group, load_plugins
from models.base import catalogue_of
from models.errors import BadInput, BadQuery
from models.layout import Layout, NoFiducials
from tests.plugins import Install
from vision.candidates import Finder
from vision.detection.network.finder import NetworkFinder

PIPES = b"|Warden|50|\n|Pikeman|30|\n"


@pytest.mark.usefixtures("example_package")
def test_a_list_format_of_another_package_is_read_and_others_as_before() -> None:
    ours, others = read_roster(PIPES, name="mine.txt"), read_roster(b"3 Pikemen, 30mm\n")

    assert (ours.program, [unit.name for unit in ours.units]) == ("pipes", ["Warden", "Pikeman"])
    assert others.program is None


@pytest.mark.usefixtures("example_package")
def test_a_rulebook_of_another_package_is_named_like_one_of_ours() -> None:
    choice = read_edition("skirmish-example")

    assert choice.read is not None
    assert choice.read.path.endswith("lantern-street.toml")
    with pytest.raises(BadQuery, match="skirmish-example, or a file"):
        read_edition("skirmish")


@pytest.mark.usefixtures("example_package")
def test_a_detector_of_another_package_is_made_by_its_name() -> None:
    layout = Layout(table_mm=(600, 400), fiducials=NoFiducials())
    finder: Finder = finder_maker("example")(catalogue_of(), layout)

    assert isinstance(finder, NetworkFinder)
    with pytest.raises(BadInput, match="no detector 'other'; plug-ins bring example"):
        finder_maker("other")


@pytest.mark.usefixtures("example_package")
def test_a_name_that_several_packages_use_is_left_out_and_both_are_named(install: Install) -> None:
    install("rival", list_formats={"pipes": "tableside_example:read_pipes"}, detectors={"rival": "builtins:dict"})
    formats, detectors = (load_plugins(group) for group in ("tableside.list_formats", "tableside.detectors"))

    assert not formats.loaded
    assert set(formats.left_out[0].packages) == {"tableside-example", "rival"}
    assert set(detectors.loaded) == {"example", "rival"}


def test_a_name_of_something_that_ships_is_left_out(install: Install) -> None:
    install("rival", books={"warhammer-9": "tableside_example:BOOK"})

    assert read_edition("warhammer-9").read is None
    (left_out,) = load_plugins("tableside.books").left_out
    assert "ships" in left_out.why


@pytest.mark.usefixtures("example_package")
def test_one_that_cannot_be_loaded_is_left_out_and_doctor_names_it(install: Install) -> None:
    install("broken", list_formats={"bad": "no_such_module_of_anybody:read"})
    found = [finding for finding in check_program() if finding.subject == "plug-ins"]

    assert [unit.name for unit in read_roster(PIPES).units] == ["Warden", "Pikeman"]
    assert "list_formats: pipes" in found[0].says
    assert "bad of broken: it cannot be loaded (ModuleNotFoundError" in found[1].says


def test_a_reader_that_fails_leaves_the_list_to_the_others(install: Install) -> None:
    install("broken", list_formats={"bad": "operator:truediv"})

    assert read_roster(b"3 Pikemen, 30mm\n").units[0].count == 3
    with pytest.raises(BadRoster):
        read_roster(b"")


@pytest.mark.parametrize("group", TAKEN)
def test_without_packages_nothing_is_added(group: Group) -> None:
    load_plugins.cache_clear()

    assert not load_plugins(group).loaded
