"""Benchmarks, each run by one command: `python -m loadtests.benchmarks.NAME`."""
