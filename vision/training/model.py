"""The network itself: built from model.yaml with random weights, or with those of a weights file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
import yaml
from ultralytics.nn.tasks import OBBModel

from vision.detection.network.proposals import KINDS

RECIPE = Path(__file__).with_name("model.yaml")
WEIGHTS = Path(__file__).parent / "weights" / "bases.pt"  # those that are shipped, to go on from
_GAINS = SimpleNamespace(box=7.5, cls=0.5, dfl=1.5, angle=1.0)  # ultralytics' own


def network(seed: int) -> Any:
    """The network with random weights; nothing is loaded or fetched."""
    torch.manual_seed(seed)
    recipe = yaml.safe_load(RECIPE.read_text()) | {"scale": "n"}
    made = OBBModel(recipe, nc=len(KINDS), verbose=False)
    made.args = _GAINS
    made.names = dict(enumerate(KINDS))
    return made


def load_weights(made: Any, path: Path) -> None:
    kept = torch.load(path, map_location="cpu", weights_only=True)
    made.load_state_dict({name: value.float() if value.is_floating_point() else value for name, value in kept.items()})


@contextmanager
def inference_mode(made: Any) -> Iterator[Any]:
    """The network in its answering state, put back afterwards."""
    was_training = made.training
    made.eval()
    try:
        with torch.inference_mode():
            yield made
    finally:
        made.train(was_training)


def export_onnx(made: Any, path: Path) -> None:
    """The network for onnxruntime: pictures (N, 3, H, W) RGB from 0 to 1, sides multiples of 32, any size."""
    head = made.model[-1]
    head.export = head.dynamic = True
    made.eval().float().cpu()
    example = torch.zeros(1, 3, 320, 320)
    free = {0: "pictures", 2: "height", 3: "width"}
    torch.onnx.export(
        made, (example,), str(path), input_names=["picture"], output_names=["answers"], opset_version=17,
        dynamic_axes={"picture": free, "answers": {0: "pictures", 2: "places"}}, dynamo=False,
    )  # fmt: skip
    head.export = head.dynamic = False
