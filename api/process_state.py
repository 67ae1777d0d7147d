"""Process state: whether the system has stopped one of our children, and how much processor time it has had."""

import os
import sys
import time


def is_stopped(pid: int) -> bool:
    """Whether this child was stopped by a signal and not continued; False where the system does not say."""
    if not hasattr(os, "waitid"):  # Windows, and macOS before Python 3.13
        return False
    try:
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:  # it is gone, or another thread has just heard of its end
        return False


def processor_s(pid: int) -> float:
    """Processor time that this child has had; 0 where the system does not say, or it is gone."""
    if not sys.platform.startswith("linux"):
        return 0.0
    try:
        return time.clock_gettime(~pid << 3 | 2)  # `clock_getcpuclockid` of the C library
    except OSError:
        return 0.0
