"""Tiles as the network is shown them: turned, mirrored, in other light."""

import numpy as np

from calibration.arrays import Floats32, Image

Random = np.random.Generator


def augment(picture: Image, labels: Floats32, random: Random) -> tuple[Image, Floats32]:
    """One of the eight ways to lay the tile, in other light."""
    labels = labels.copy()
    last = picture.shape[0] - 1
    if random.random() < 0.5:
        picture = picture[:, ::-1]
        labels[:, 1], labels[:, 5] = last - labels[:, 1], np.pi - labels[:, 5]
    if random.random() < 0.5:
        picture = picture[::-1]
        labels[:, 2], labels[:, 5] = last - labels[:, 2], -labels[:, 5]
    if random.random() < 0.5:
        picture = picture.transpose(1, 0, 2)
        labels[:, [1, 2]], labels[:, 5] = labels[:, [2, 1]], np.pi / 2 - labels[:, 5]
    return _jitter_colours(picture, random), labels


def _jitter_colours(picture: Image, random: Random) -> Image:
    levels = np.arange(256) / 255
    tables = []
    gamma, gain, lift = np.exp(random.normal(0, 0.2)), np.exp(random.normal(0, 0.12)), random.normal(0, 0.02)
    for _ in range(3):
        tint = np.exp(random.normal(0, 0.05))
        tables.append(np.clip((levels**gamma * gain * tint + lift) * 255, 0, 255).astype(np.uint8))
    order = random.permutation(3) if random.random() < 0.1 else np.arange(3)
    return np.dstack([tables[k][picture[..., channel]] for k, channel in enumerate(order)])
