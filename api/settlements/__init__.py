"""Settlements: how players ended what was too close to call, kept in the journal and shown on every phone.

Stands on corrections, seats and journal; knows no rule and no verdict.
"""
