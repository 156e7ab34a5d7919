"""Logs as they were once stored, with the states and views to which they must fold for ever."""
