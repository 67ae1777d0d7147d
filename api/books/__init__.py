"""Books: rulebooks written as data, from their file to what a table is judged by."""
