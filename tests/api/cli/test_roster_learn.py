"""`tableside roster learn`: a layout file is checked, shown at a sample, and kept."""

from pathlib import Path

import pytest

from api.rosters.layout_file import load_layouts
from tests.api.cli.commands import Ended, run

QUILL = """[[layout]]
program = "Quill"
signature = ["Quill list: {text}"]
title = "Quill list: {title}"
total = ["Sum {total} {points}"]
unit = ["{count} x {name} = {cost}< {points}>"]
"""
SAMPLE = "Quill list: Low water\n3 x Otter Hound = 120 pts\n1 X Osk = 80\nSum 200 Punkte\n"


def learn(folder: Path, layout: str, sample: str) -> Ended:
    (folder / "quill.toml").write_text(layout)
    (folder / "list.txt").write_text(sample)
    where = ("--sample", folder / "list.txt", "--folder", folder / "kept")
    return run("roster", "learn", folder / "quill.toml", *where)


def test_a_layout_is_shown_at_a_sample_and_kept(tmp_path: Path) -> None:
    ended = learn(tmp_path, QUILL, SAMPLE)

    assert ended.code == 0
    assert "unit   3 x Otter Hound = 120 pts" in ended.out
    assert "2 units, 4 miniatures" in ended.out
    assert load_layouts(tmp_path / "kept")[0].program == "Quill"


@pytest.mark.parametrize(
    ("layout", "sample"),
    [
        (QUILL, SAMPLE + "who knows 7\n"),
        (QUILL.replace("{cost}", "{price}"), SAMPLE),
        (QUILL.replace("< {", "<< {"), SAMPLE),
        ("layout = 3", SAMPLE),
        (QUILL, "3 Reeve, red, 30"),
    ],
)
def test_what_is_not_understood_is_not_kept(layout: str, sample: str, tmp_path: Path) -> None:
    assert learn(tmp_path, layout, sample).code == 2
    assert not (tmp_path / "kept").exists()
