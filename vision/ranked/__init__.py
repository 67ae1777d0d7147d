"""Rectangular bases, found as blocks of ranks and files and measured together. A lone one is a block of one."""
