"""Storage: files a user keeps."""
