"""Process state: whether the system has stopped one of our children, which then neither runs nor ends."""

import os


def is_stopped(pid: int) -> bool:
    """Whether this child was stopped by a signal and not continued; False where the system does not say."""
    if not hasattr(os, "waitid"):  # Windows, and macOS before Python 3.13
        return False
    try:
        return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:  # it is gone, or another thread has just heard of its end
        return False
