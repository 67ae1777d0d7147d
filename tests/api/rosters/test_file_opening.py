"""Files that nobody should trust: one clear problem each, soon and in little memory."""

import io
import zipfile

import pytest

from api.errors import BadRoster
from api.rosters.file_opening import MOST_BYTES
from api.rosters.read import read_roster
from tests.api.rosters.lists import body, force, ros, selection, zipped

SMALL = ros(force(selection("Reeve", "model", cards=body("Reeve"))))
BOMB = b"""<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><roster name="&c;"><forces/></roster>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><roster name="&x;"/>"""


def test_entities_are_refused_before_they_are_expanded() -> None:
    with pytest.raises(BadRoster, match="entities"):
        read_roster(BOMB)


def test_no_file_is_read_for_an_entity() -> None:
    with pytest.raises(BadRoster, match="entities"):
        read_roster(OUTSIDE)


def test_a_zip_bomb_is_unpacked_no_further_than_the_cap() -> None:
    with pytest.raises(BadRoster, match="unpacks to more"):
        read_roster(zipped(b" " * (MOST_BYTES * 4)))


def test_a_hundred_megabytes_are_refused_unread() -> None:
    with pytest.raises(BadRoster, match="larger than"):
        read_roster(b"<" * (100 * 2**20))


def test_an_archive_of_several_lists_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.ros", SMALL)
        archive.writestr("b.ros", SMALL)

    with pytest.raises(BadRoster, match="2 lists"):
        read_roster(out.getvalue())


@pytest.mark.parametrize("cut", [10, 40, 120])
def test_an_archive_that_is_cut_off(cut: int) -> None:
    with pytest.raises(BadRoster, match="cannot be unpacked"):
        read_roster(zipped(SMALL)[:cut])


@pytest.mark.parametrize("cut", [60, 200])
def test_xml_that_is_cut_off(cut: int) -> None:
    with pytest.raises(BadRoster, match="broken"):
        read_roster(SMALL[:-cut])


def test_a_broken_encoding_is_one_problem() -> None:
    with pytest.raises(BadRoster):
        read_roster(SMALL.replace(b"My host", b"\xff\xfe host"))
    with pytest.raises(BadRoster, match="UTF-8"):
        read_roster("3 Zöllner, red, 30".encode("latin-1"))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_trouble(encoding: str) -> None:
    text = SMALL.decode().replace('encoding="UTF-8"', f'encoding="{encoding.removesuffix("-sig").upper()}"')

    assert read_roster(text.encode(encoding)).miniatures == 1
    assert read_roster("3 Zöllner, red, 30".encode(encoding)).miniatures == 3


def test_nesting_without_end_is_refused() -> None:
    deep = "<selections><selection>" * 200 + "</selection></selections>" * 200

    with pytest.raises(BadRoster, match="nested too deep"):
        read_roster(f"<roster><forces><force>{deep}</force></forces></roster>".encode())


@pytest.mark.parametrize(
    "raw", [b"Trencher" + b" " * 300_000 + b"!", b"3 Trencher\n" * 30_000], ids=["a long line", "many lines"]
)
def test_text_that_would_take_hours_or_minutes_to_read_is_refused_at_once(raw: bytes) -> None:
    with pytest.raises(BadRoster, match=r"more than 1\d*,000 characters"):
        read_roster(raw)


@pytest.mark.parametrize(
    "raw", [b"", b"  \n", b"\x89PNG\r\n\x1a\n\x00\x00", b"[1, 2", b'{"a": 1}', b"<html></html>", b"[" * 5000]
)
def test_what_is_no_list_is_one_problem(raw: bytes) -> None:
    with pytest.raises(BadRoster):
        read_roster(raw)


@pytest.mark.parametrize("count", [2_001, 160_000])
def test_units_are_counted_while_they_are_read(count: int) -> None:
    """200,000 units in half a megabyte took a gigabyte and sixteen seconds before they were too many."""
    selections = ",".join(["{}" if count > 100_000 else '{"type":"model"}'] * count)

    with pytest.raises(BadRoster, match=r"more than 2,000 units|more than 200,000 values"):
        read_roster(f'{{"roster":{{"forces":[{{"selections":[{selections}]}}]}}}}'.encode())


def test_values_that_no_list_has_are_one_problem() -> None:
    with pytest.raises(BadRoster, match="lone surrogate"):
        read_roster(rb'{"roster":{"forces":[{"selections":[{"type":"model","name":"\ud800"}]}]}}')
