"""True-size sheets to print: boards, fiducials, marking rings and templates, each page with rulers to check it by.

Vector drawings in millimetres, y up; `document` turns them into PDF.
"""
