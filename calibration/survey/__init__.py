"""Survey: pictures of fiducials -> where they lie on the table."""
