"""The opponent: levels, choice of a play, hints, and the worker that takes the computer's turns."""
