"""Evaluation: verdict cache, deadline scheduler, request priority, worker pool, measuring policy."""
