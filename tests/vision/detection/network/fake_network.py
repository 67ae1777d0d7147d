"""A fake network that gives fixed answers, for tests of what stands around it."""

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from vision.detection.network.inference import Network
from vision.detection.network.proposals import Proposal


@dataclass
class FakeNetwork:
    """A stub of the network: answers the same to every picture, and remembers their sizes."""

    answers: list[Proposal]
    asked: list[tuple[int, ...]] = field(default_factory=list)

    def proposals(self, picture: np.ndarray[Any, Any], *, least_score: float = 0.3) -> list[Proposal]:
        self.asked.append(picture.shape)
        return self.answers


def network_that_answers(*answers: Proposal) -> Network:
    return cast(Network, FakeNetwork(list(answers)))
