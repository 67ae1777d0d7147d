"""Capture: files, devices and streams -> decoded frames."""
