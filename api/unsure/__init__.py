"""Who is who where the camera could not see it: what is asked, and what somebody at the table says."""
