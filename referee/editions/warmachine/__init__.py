"""The WARMACHINE family: chapters that several of its books share; each book is a folder here."""
