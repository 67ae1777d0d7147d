"""What comes in is read under a limit while it is read: packings, members, bytes, keys, values, letters."""

import io
import json
import zipfile

import pytest

from api.errors import BadRoster
from api.storage.untrusted_files import (
    LONGEST_WORD,
    MOST_KEY_PARTS,
    MOST_KEYS,
    MOST_VALUES,
    ZipLimits,
    find_lone_surrogate,
    open_zip,
    parse_json,
    parse_toml,
)

LIMITS = ZipLimits("a list", members=3, total_bytes=5_000, error=BadRoster, field="file")


def packed(*members: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for k, content in enumerate(members):
            archive.writestr(f"{k}.txt", content)
    return out.getvalue()


def unpack(raw: bytes, *, most_bytes: int = 4_000) -> list[bytes]:
    with open_zip(raw, name="x.zip", limits=LIMITS) as archive:
        return [b"".join(archive.read_chunks(member, most_bytes=most_bytes)) for member in archive.members]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_stored_and_deflated_members_are_read(method: int) -> None:
    assert unpack(packed(b"a" * 2000, b"b", method=method)) == [b"a" * 2000, b"b"]


@pytest.mark.parametrize(("method", "name"), [(zipfile.ZIP_BZIP2, "bzip2"), (zipfile.ZIP_LZMA, "lzma")])
def test_other_packings_are_refused_by_member_and_method(method: int, name: str) -> None:
    with pytest.raises(BadRoster, match=rf"0\.txt is packed by {name}"):
        unpack(packed(bytes(1 << 20), method=method))


def test_an_encrypted_member_is_refused() -> None:
    raw = bytearray(packed(b"x"))
    raw[raw.rfind(b"PK\x01\x02") + 8] |= 1

    with pytest.raises(BadRoster, match=r"0\.txt is encrypted"):
        unpack(bytes(raw))


def test_a_member_and_the_sum_of_all_have_limits() -> None:
    with pytest.raises(BadRoster, match=r"0\.txt unpacks to more than a list holds"):
        unpack(packed(bytes(4001)))
    with pytest.raises(BadRoster, match=r"1\.txt unpacks to more than a list holds"):
        unpack(packed(bytes(3000), bytes(3000)))


@pytest.mark.parametrize("count", [4, 60_000])
def test_members_are_counted_before_they_are_listed(count: int) -> None:
    with pytest.raises(BadRoster, match=r"holds 4 files|directory is longer"):
        unpack(packed(*[b""] * count, method=zipfile.ZIP_STORED))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".".join(["a"] * 100_000) + " = 1", "A key of more than 8 parts"),
        ("x = 1\n[" + " . ".join(['"a"'] * (MOST_KEY_PARTS + 1)) + "]", r"8 parts \(at line 2"),
        ("".join(f"[t{k}]\n" for k in range(MOST_KEYS + 1)), "More than 100,000 keys"),
        ("".join(f"a.b.k{k} = 1\n" for k in range(MOST_KEYS // 3 + 1)), "one too many with dots"),
        ("x = 0x" + "f" * LONGEST_WORD, "A word of more than"),
        ("x = " + "9" * 900_000, "A word of more than"),
    ],
)
def test_toml_of_more_than_anybody_writes_is_refused_unread(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse_toml(text)


def test_dots_in_texts_and_numbers_are_no_keys() -> None:
    prose = "One. Two. Three. Four. Five. Six. Seven. Eight. Nine. Ten."

    assert parse_toml(f'says = "{prose}"\nat = [1.5, 2.5]\n[a.b.c]\nd = 1') == {
        "says": prose, "at": [1.5, 2.5], "a": {"b": {"c": {"d": 1}}},
    }  # fmt: skip


def test_json_of_more_values_than_any_list_is_refused_unread() -> None:
    with pytest.raises(ValueError, match="more than 200,000 values"):
        parse_json("[" + "0," * MOST_VALUES + "0]")


@pytest.mark.parametrize("text", [r'"\ud800"', r'"\udfff\u0000"', r'"\\\ud83d."', r'"\ud83d\ud83d\ude00"'])
def test_half_of_a_letter_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="lone surrogate"):
        parse_json(text)


@pytest.mark.parametrize("value", ["\N{GRINNING FACE}", "\\ud800", "ü\u0000", "ud800"])
def test_whole_letters_are_taken_however_they_are_written(value: str) -> None:
    assert parse_json(json.dumps(value)) == value
    assert find_lone_surrogate(json.dumps(value, ensure_ascii=False).encode()) is None
