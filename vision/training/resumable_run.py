"""Resumable training run: weights, mean weights, optimiser and step in a folder, taken up again by the same command."""

import copy
import json
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch

_KEEP_EVERY_S = 150.0
Say = Callable[[str], None]


@dataclass(frozen=True)
class TrainingOptions:
    """What the user asked for."""

    folder: Path
    steps: int
    tiles: int
    seed: int
    threads: int
    start: Path | None = None
    crops: Path | None = None
    rate: float = 2.5e-3
    trunk: str = "residual"


@dataclass(frozen=True)
class Plan:
    """What a run does. Asking for more steps later goes on from where it is."""

    seed: int = 7
    steps: int = 20_000
    batch: int = 16
    rate: float = 2e-3
    last_rate: float = 4e-5
    steady: float = 0.999  # share of the running mean of the weights that each step keeps


class ResumableRun:
    """The network under training and everything needed to go on with it."""

    WARM_UP: ClassVar[int] = 100  # steps
    FOLLOW: ClassVar[int] = 500  # steps until the mean weights follow slowly
    MOST_SLOPE: ClassVar[float] = 10.0
    BETAS: ClassVar[tuple[float, float]] = (0.9, 0.999)
    SAY_EVERY: ClassVar[int] = 50  # steps

    def __init__(self, folder: Path, plan: Plan, net: Any, *, start: Path | None) -> None:
        self.folder, self.step, self.seconds = folder, 0, 0.0
        self.first = "random" if start is None else f"those of {start.name}"
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = net.to(self.device, memory_format=torch.channels_last).train()
        self.mean = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.optimizer = torch.optim.AdamW(self.groups(), lr=plan.rate, betas=self.BETAS)
        folder.mkdir(parents=True, exist_ok=True)
        if self._kept.exists():
            self.take_up(torch.load(self._kept, map_location=self.device, weights_only=True), plan)

    plan: Plan

    @property
    def _kept(self) -> Path:
        return self.folder / "last.pt"

    def groups(self) -> list[dict[str, Any]]:
        """The optimiser's groups of weights; `scale` is that of their learning rate."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """What a checkpoint holds beside weights and optimiser."""
        return {"step": self.step, "seconds": self.seconds, "first": self.first}

    def take_up(self, kept: dict[str, Any], plan: Plan) -> None:
        """Go on from a checkpoint, under this plan."""
        self.step, self.seconds, self.first = kept["step"], kept["seconds"], kept.get("first", "random")
        for name in ("net", "mean", "optimizer"):
            getattr(self, name).load_state_dict(kept[name])

    def keep(self) -> None:
        """Write everything down; a run that is cut off while writing keeps the file before."""
        states = {name: getattr(self, name).state_dict() for name in ("net", "mean", "optimizer")}
        unfinished = self._kept.with_suffix(".part")
        torch.save(self.facts() | states, unfinished)
        unfinished.replace(self._kept)
        (self.folder / "plan.json").write_text(json.dumps(asdict(self.plan) | {"done": self.step}))

    def run_steps(
        self,
        take_step: Callable[[], dict[str, float]],
        *,
        seconds: float,
        say: Say,
        judge: Callable[[dict[str, float]], None] = lambda _: None,
    ) -> None:
        """Train until the plan is done or the time is up, judging on the way, and keep what was reached."""
        started = kept_at = time.monotonic()
        before, recent = self.seconds, dict[str, float]()
        while self.step < self.plan.steps and time.monotonic() - started < seconds:
            terms = take_step()
            recent = {name: 0.98 * recent.get(name, value) + 0.02 * value for name, value in terms.items()}
            self.seconds = before + time.monotonic() - started
            if self.step % self.SAY_EVERY == 0:
                figures = " ".join(f"{name} {value:.3f}" for name, value in recent.items())
                say(f"step {self.step} of {self.plan.steps}, {self.seconds / 60:.1f} min: {figures}")
            judge(recent)
            if time.monotonic() - kept_at > _KEEP_EVERY_S:
                self.keep()
                kept_at = time.monotonic()
        self.keep()

    def set_rate(self) -> None:
        """The learning rate of this step."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate_at(self.step) * group.get("scale", 1.0)

    def descend(self, loss: Any) -> None:
        """One step of the optimiser; the mean weights follow, quickly at first."""
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.MOST_SLOPE)
        self.optimizer.step()
        self.step += 1
        share = self.plan.steady * (1 - math.exp(-self.step / self.FOLLOW))
        with torch.no_grad():
            for mean, now in zip(self.mean.state_dict().values(), self.net.state_dict().values(), strict=True):
                if mean.is_floating_point():
                    mean.mul_(share).add_(now, alpha=1 - share)

    def rate_at(self, step: int) -> float:
        """A warm-up, then a cosine down to the last rate."""
        plan = self.plan
        if step < self.WARM_UP:
            return plan.rate * (step + 1) / self.WARM_UP
        share = (step - self.WARM_UP) / max(1, plan.steps - self.WARM_UP)
        return plan.last_rate + (plan.rate - plan.last_rate) * (1 + math.cos(math.pi * min(share, 1.0))) / 2

    def save_weights(self) -> None:
        """The running mean of the weights, which answers better than the last ones, at half precision."""
        state = self.mean.state_dict()
        halved = {name: value.half() if value.is_floating_point() else value for name, value in state.items()}
        torch.save(halved, self.folder / "bases.pt")
