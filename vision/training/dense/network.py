"""Dense base networks in torch: a feature pyramid with an instance head at stride 8 and rim maps at stride 2."""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.detection.network.channels import DEEPEST, INSTANCE_CHANNELS, MAP_CHANNELS, SHUFFLE, SLICES

WIDTHS = (16, 32, 64, 128, 192)  # at strides 2, 4, 8, 16, 32
_HEAD, _UP, _FINE = 112, 128, 40
_SMALL = 64  # weights of so few values stay as they are
_RARE = -4.6  # the first guess of a chance, as a logit: one in a hundred


class Unit(nn.Module):
    """Convolution, batch normalisation, SiLU."""

    def __init__(self, before: int, after: int, side: int = 3, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(before, after, side, stride, side // 2, bias=False)
        self.norm = nn.BatchNorm2d(after, eps=1e-3, momentum=0.03)

    def forward(self, x: Tensor) -> Tensor:
        return functional.silu(self.norm(self.conv(x)))


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = Unit(width, width), Unit(width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.second(self.first(x))


class Split(nn.Module):
    """Cross-stage partial block: half of the channels go through residuals, half around them."""

    def __init__(self, before: int, after: int, count: int) -> None:
        super().__init__()
        self.through, self.around = Unit(before, after // 2, 1), Unit(before, after // 2, 1)
        self.body = nn.Sequential(*(Residual(after // 2) for _ in range(count)))
        self.last = Unit(after, after, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(torch.cat([self.body(self.through(x)), self.around(x)], 1))


class Context(nn.Module):
    """Pooling over 5, 9 and 13 cells, so that a large base is seen whole."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.narrow, self.last = Unit(width, width // 2, 1), Unit(2 * width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        levels = [self.narrow(x)]
        for _ in range(3):
            levels.append(functional.max_pool2d(levels[-1], 5, 1, 2))
        return self.last(torch.cat(levels, 1))


class Pyramid(nn.Module):
    """Pictures (N, 3, H, W), RGB 0 to 1 at 1 px/mm, to instance logits (N, C, H/8, W/8), maps (N, 4, H/2, W/2)."""

    early_parts: tuple[tuple[int, int], ...] = ()  # channels and strides of what `early` gives, where a part is frozen

    def __init__(self, widths: tuple[int, int, int, int]) -> None:
        """`widths` of the features at strides 4, 8, 16, 32."""
        super().__init__()
        b, c, d, e = widths
        self.up16 = Split(d + e, _UP, 1)
        self.up8 = Split(c + _UP, 96, 2)
        self.up4 = nn.Sequential(Unit(b + 96, _FINE, 1), Unit(_FINE, _FINE))
        self.instances = nn.Sequential(Unit(96, _HEAD), Unit(_HEAD, _HEAD, 1), nn.Conv2d(_HEAD, INSTANCE_CHANNELS, 1))
        self.maps = nn.Conv2d(_FINE, MAP_CHANNELS * SHUFFLE**2, 1)
        self._begin()

    def _begin(self) -> None:
        bias = self.instances[-1].bias
        assert isinstance(bias, Tensor)
        with torch.no_grad():
            bias[SLICES["heat"]] = _RARE
            bias[SLICES["spread"]] = -1.0
            assert self.maps.bias is not None
            self.maps.bias[: 2 * SHUFFLE**2] = -3.0

    def rate_scale(self, name: str) -> float:
        """How much slower than the rest a parameter learns."""
        return 1.0

    def merge(self, eight: Tensor, sixteen: Tensor, deep: Tensor) -> Tensor:
        """Features at stride 8 that hold what the coarser ones see."""
        sixteen = self.up16(torch.cat([_upsample_twice(deep), sixteen], 1))
        return self.up8(torch.cat([_upsample_twice(sixteen), eight], 1))

    def answers(self, four: Tensor, eight: Tensor, sixteen: Tensor, deep: Tensor) -> tuple[Tensor, Tensor]:
        eight = self.merge(eight, sixteen, deep)
        fine = self.up4(torch.cat([_upsample_twice(eight), four], 1))
        return self.instances(eight), functional.pixel_shuffle(self.maps(fine), SHUFFLE)


class BaseNetwork(Pyramid):
    """The pyramid over a small residual trunk that starts from random weights."""

    def __init__(self) -> None:
        a, b, c, d, e = WIDTHS
        super().__init__((b, c, d, e))
        self.stem = Unit(3, a, 3, 2)
        self.to4 = nn.Sequential(Unit(a, b, 3, 2), Split(b, b, 1))
        self.to8 = nn.Sequential(Unit(b, c, 3, 2), Split(c, c, 2))
        self.to16 = nn.Sequential(Unit(c, d, 3, 2), Split(d, d, 2))
        self.to32 = nn.Sequential(Unit(d, e, 3, 2), Split(e, e, 2), Context(e))

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        four = self.to4(self.stem(pictures))
        eight = self.to8(four)
        sixteen = self.to16(eight)
        return self.answers(four, eight, sixteen, self.to32(sixteen))


class HeadTuning(BaseNetwork):
    """A trained network of which the instance head alone learns on: what it sees stays, what it calls that changes."""

    early_parts = ((96, 8),)

    def __init__(self) -> None:
        super().__init__()
        self.requires_grad_(False)
        self.instances.requires_grad_(True)

    def train(self, mode: bool = True) -> "HeadTuning":
        super().train(False)
        self.instances.train(mode)
        return self

    def early(self, pictures: Tensor) -> tuple[Tensor]:
        """All but the heads."""
        eight = self.to8(self.to4(self.stem(pictures)))
        sixteen = self.to16(eight)
        return (self.merge(eight, sixteen, self.to32(sixteen)),)

    def late(self, eight: Tensor) -> tuple[Tensor, None]:
        """Instance logits; the maps do not learn."""
        return self.instances(eight), None


def _upsample_twice(x: Tensor) -> Tensor:
    return functional.interpolate(x, scale_factor=2.0, mode="nearest")


class Answering(nn.Module):
    """The network with chances in place of logits: what is exported."""

    def __init__(self, body: nn.Module) -> None:
        super().__init__()
        self.body = body

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        raw, maps = self.body(pictures)
        parts = []
        for name, channels in SLICES.items():
            part = raw[:, channels]
            if name in ("heat", "marked", "ranked", "seen"):
                part = torch.sigmoid(part)
            elif name in ("size", "marking"):
                part = torch.softmax(part, 1)
            parts.append(part)
        return torch.cat(parts, 1), torch.sigmoid(maps)


def pictures_tensor(pictures: list[Any]) -> Tensor:
    """BGR pictures as (N, 3, H, W) RGB from 0 to 1."""
    return torch.from_numpy(np.stack(pictures)[..., ::-1].copy()).permute(0, 3, 1, 2).float().div_(255)


def export_onnx(network: nn.Module, path: Path) -> None:
    """The network for onnxruntime, pictures of any size whose sides are multiples of 32."""
    free: dict[int, str] = {0: "pictures", 2: "height", 3: "width"}
    example: Any = (torch.zeros(1, 3, 10 * DEEPEST, 10 * DEEPEST),)
    torch.onnx.export(
        Answering(network).eval(), example, str(path), input_names=["picture"], output_names=["instances", "maps"],
        opset_version=17, dynamic_axes={"picture": free, "instances": free, "maps": free}, dynamo=False,
    )  # fmt: skip


def store_halved(path: Path) -> None:
    """Store the file's weights at half precision: half as large, and cast back where it is loaded."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(path))
    graph, casts = model.graph, []
    for weights in list(graph.initializer):
        values = numpy_helper.to_array(weights)
        if values.dtype == np.float32 and values.size > _SMALL:
            graph.initializer.remove(weights)
            graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), f"{weights.name}_half"))
            casts.append(helper.make_node("Cast", [f"{weights.name}_half"], [weights.name], to=TensorProto.FLOAT))
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend([*casts, *nodes])
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
