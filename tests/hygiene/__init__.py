"""What has to be true of the repository itself: no secret in it, and nothing installed that is not pinned and known."""
