"""The trunk that has seen photographs: its first blocks stay, and kept features are those of the picture."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np

if find_spec("torch") and find_spec("efficientnet_lite_pytorch"):
    import torch

    from vision.training.dense.efficientnet_trunk import EfficientNetTrunk
    from vision.training.dense.frozen_features import FrozenFeatures
    from vision.training.dense.network import pictures_tensor
    from vision.training.dense.run import Plan, Run
    from vision.training.dense.tile_shards import SHARD_TILES, GrowingTiles, Shard, shard_path
    from vision.training.scenes.tile import COLUMNS, TILE_PX

    def tiles_of_noise(folder: Path) -> GrowingTiles:
        path = shard_path(folder, 3, 0)
        path.mkdir(parents=True)
        noise = np.random.default_rng(1).integers(0, 255, (SHARD_TILES, TILE_PX, TILE_PX, 3), np.uint8)
        labels = np.full((SHARD_TILES, 1, len(COLUMNS)), np.nan, np.float32)
        np.save(path / "pictures.npy", noise)
        np.save(path / "maps.npy", np.zeros((SHARD_TILES, TILE_PX // 2, TILE_PX // 2, 4), np.uint8))
        np.save(path / "labels.npy", labels)
        (path / "mats.json").write_text("[]")
        assert len(Shard(path)) == SHARD_TILES
        return GrowingTiles(folder, 3)

    def test_kept_features_are_those_of_the_picture(tmp_path: Path) -> None:
        network = EfficientNetTrunk().eval()
        features = FrozenFeatures(tmp_path / "features", network, seed=3, side_px=TILE_PX)
        tiles, keys = tiles_of_noise(tmp_path), [(0, 7)]

        first, computed = features.batch(tiles, keys, np.random.default_rng(5))
        again, kept = features.batch(tiles, keys, np.random.default_rng(5))
        with torch.inference_mode():
            fresh = network.early(pictures_tensor([first[0][0]]))

        assert np.array_equal(first[0][1], again[0][1])
        assert all(torch.equal(a, b) for a, b in zip(computed, kept, strict=True))
        assert all(torch.allclose(a, b, rtol=2e-3, atol=2e-2) for a, b in zip(kept, fresh, strict=True))

    def test_a_step_moves_the_late_blocks_and_not_the_frozen_ones(tmp_path: Path) -> None:
        run = Run(tmp_path / "run", Plan(seed=3, steps=10, trunk="lite0"))
        before = {name: value.clone() for name, value in run.net.state_dict().items()}
        tiles = tiles_of_noise(tmp_path)

        run.one_step([tiles.sample(0, 1), tiles.sample(0, 2)])
        moved = {name for name, value in run.net.state_dict().items() if not torch.equal(value, before[name])}

        assert any(name.startswith("blocks.14.") for name in moved)
        assert not [name for name in moved if name.startswith(("stem.", *(f"blocks.{k}." for k in range(5))))]
        assert not [name for name in moved if name.endswith("_depthwise_conv.weight")]
