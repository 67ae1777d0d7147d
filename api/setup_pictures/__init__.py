"""Set-up pictures: a sweep of photographs or a video of the set-up pages, and what is said of its solution."""
