"""Shards of drawn tiles: whole or not there, whoever draws them."""

from pathlib import Path

import numpy as np
import pytest

from vision.training.dense import tile_shards
from vision.training.scenes import assets
from vision.training.scenes.tile import Tile, tile


def test_of_two_runs_over_one_folder_the_faster_keeps_its_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tile_shards.shard_path(tmp_path, 7, 0)

    def overtaken(seed: int, number: int, drawn: assets.Assets) -> Tile:
        path.mkdir()
        (path / "labels.npy").write_bytes(b"of the other run")
        return tile(seed, number, drawn)

    monkeypatch.setattr(tile_shards, "SHARD_TILES", 1)
    monkeypatch.setattr(tile_shards, "load_assets", lambda *_, **__: assets.procedural())
    monkeypatch.setattr(tile_shards, "tile", overtaken)

    assert tile_shards.write_shard(tmp_path, tmp_path / "assets", 7, 0) == path
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    assert (path / "labels.npy").read_bytes() == b"of the other run"


def test_a_shard_holds_what_was_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_shards, "SHARD_TILES", 1)
    monkeypatch.setattr(tile_shards, "load_assets", lambda *_, **__: assets.procedural())

    shard = tile_shards.Shard(tile_shards.write_shard(tmp_path, tmp_path / "assets", 7, 0))
    drawn = tile(7, 0, assets.procedural())

    assert len(shard) == 1
    assert np.array_equal(shard[0][0], drawn.picture)
    assert np.array_equal(shard[0][2], drawn.maps)
