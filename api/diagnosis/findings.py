"""Findings: one line each of what was looked at, how it is, and what to do."""

from collections.abc import Iterable
from typing import Literal

from models.frozen import Frozen

Grade = Literal["good", "warning", "bad"]


class Finding(Frozen):
    """How one thing is; `advice` is what to do where it is not good."""

    subject: str
    grade: Grade
    says: str
    advice: str = ""


def good(subject: str, says: str) -> Finding:
    return Finding(subject=subject, grade="good", says=says)


def warn(subject: str, says: str, advice: str) -> Finding:
    return Finding(subject=subject, grade="warning", says=says, advice=advice)


def bad(subject: str, says: str, advice: str) -> Finding:
    return Finding(subject=subject, grade="bad", says=says, advice=advice)


def propose_settings(findings: Iterable[Finding]) -> dict[str, object]:
    """Keys of `tableside.toml` by which a table of this machine would do better."""
    grades = {finding.subject: finding.grade for finding in findings}
    cameras = [subject.removeprefix("camera ") for subject, grade in grades.items()
               if subject.startswith("camera ") and grade == "good"]  # fmt: skip
    proposed: dict[str, object] = {}
    if len(cameras) == 1:
        proposed["source"] = cameras[0]
    if grades.get("speed") == "warning":
        proposed["light"] = True
    if grades.get("disk") == "warning":
        proposed["keep_pictures"] = "200MB"
    return proposed
