"""Load tests and benchmarks of the running system and of its parts."""
