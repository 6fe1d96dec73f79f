"""What people do and see on a simulated Discord that drives the real client: no network, no wire, virtual time."""
