"""Set-up: pictures of printed pages -> lens, page layout, camera poses and scale in one solve, with covariance."""
