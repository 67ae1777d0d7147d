"""The network learns, and its file says what it says. Only where torch is installed: no table needs it."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np

if find_spec("torch"):
    import onnxruntime
    import torch

    from vision.training.dense.network import Answering, BaseNetwork, export_onnx
    from vision.training.dense.run import Plan, Run
    from vision.training.scenes.assets import procedural
    from vision.training.scenes.tile import tile

    def test_the_loss_falls_on_eight_tiles(tmp_path: Path) -> None:
        assets = procedural()
        drawn = [tile(5, number, assets) for number in range(8)]
        samples = [(one.picture, one.labels, one.maps) for one in drawn]
        run = Run(tmp_path, Plan(seed=3, steps=40, rate=1e-3))

        losses = [run.one_step(samples)["loss"] for _ in range(25)]

        assert losses[-1] < 0.75 * losses[0]

    def test_a_kept_run_is_taken_up_where_it_was(tmp_path: Path) -> None:
        run = Run(tmp_path, Plan(seed=3))
        run.step, run.known = 12, 4
        run.keep()

        again = Run(tmp_path, Plan(seed=4))

        assert (again.step, again.known) == (12, 4)
        assert all(torch.equal(a, b) for a, b in zip(run.net.parameters(), again.net.parameters(), strict=True))

    def test_a_run_begins_with_the_weights_it_is_given(tmp_path: Path) -> None:
        first = Run(tmp_path / "first", Plan(seed=3))
        torch.save(first.mean.state_dict(), tmp_path / "kept.pt")

        again = Run(tmp_path / "again", Plan(seed=4), start=tmp_path / "kept.pt")

        assert again.first == "those of kept.pt"
        assert all(torch.equal(a, b) for a, b in zip(first.mean.parameters(), again.net.parameters(), strict=True))

    def test_with_its_trunk_frozen_the_instance_head_alone_learns(tmp_path: Path) -> None:
        first = Run(tmp_path / "first", Plan(seed=3))
        torch.save(first.mean.state_dict(), tmp_path / "kept.pt")
        run = Run(tmp_path / "again", Plan(seed=3, trunk="frozen"), start=tmp_path / "kept.pt")
        drawn = tile(5, 0, procedural())

        run.one_step([(drawn.picture, drawn.labels, drawn.maps)])
        moved = {
            name for name, value in run.net.state_dict().items() if not torch.equal(value, first.net.state_dict()[name])
        }
        picture = torch.rand(1, 3, 64, 96)
        with torch.inference_mode():
            whole, _ = run.net.eval()(picture)
            late, _ = run.net.late(*run.net.early(picture))

        assert moved
        assert {name.split(".")[0] for name in moved} == {"instances"}
        assert torch.allclose(whole, late, atol=1e-5)

    def test_the_exported_file_gives_the_same_numbers(tmp_path: Path) -> None:
        torch.manual_seed(1)
        network = BaseNetwork().eval()
        export_onnx(network, tmp_path / "bases.onnx")
        picture = np.random.default_rng(0).random((1, 3, 96, 160), np.float32)

        session = onnxruntime.InferenceSession(str(tmp_path / "bases.onnx"), providers=["CPUExecutionProvider"])
        answers = session.run(None, {"picture": picture})
        with torch.inference_mode():
            wanted = [one.numpy() for one in Answering(network).eval()(torch.from_numpy(picture))]

        assert answers[0].shape[2:] == (12, 20)
        assert answers[1].shape == (1, 4, 48, 80)
        for one, other in zip(answers, wanted, strict=True):
            assert np.allclose(one, other, atol=1e-4)
