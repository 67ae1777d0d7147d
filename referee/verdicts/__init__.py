"""Verdicts: a query on a state -> verdict, house rules that flip it, disclosure, drawing."""
