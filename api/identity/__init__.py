"""Identity: who is who where the camera could not see it, as a question and an answer from the table."""
