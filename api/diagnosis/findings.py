"""Findings: one line each of what was looked at, how it is, and what to do."""

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
