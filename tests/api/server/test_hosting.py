"""Hosting: where nothing is kept, pictures under answers last as long as the server."""

from pathlib import Path

import pytest

from api.server.hosting import SCRATCH_BYTES, Hosting


def test_without_a_folder_pictures_have_one_that_goes_with_the_server() -> None:
    with Hosting().with_scratch() as hosting:
        assert hosting.scratch is not None
        assert hosting.scratch.is_dir()
        assert hosting.keeps_pictures()
        assert hosting.data is None
        assert hosting.keep_bytes == SCRATCH_BYTES

    assert not hosting.scratch.exists()


@pytest.mark.parametrize("keeps", ["folder", "no pictures"])
def test_who_names_a_folder_or_wants_no_pictures_gets_no_other(keeps: str, tmp_path: Path) -> None:
    chosen = Hosting(data=tmp_path) if keeps == "folder" else Hosting(keep_bytes=0)

    with chosen.with_scratch() as hosting:
        assert hosting == chosen
    assert tmp_path.is_dir()
