"""Fits the weights of the computer's fallback evaluator to what bgsage sees at first look.

    python -m loadtests.benchmarks.thinking_fit_fallback --decisions 40000 --epochs 30 --write

Positions come from games that the network plays against itself at changing degrees of unsteadiness; every play of every
roll is a lesson. Takes about three minutes; the same seed gives the same weights on the same machine.
"""

import argparse
import random
from pathlib import Path

import numpy as np

from gameserver.backgammon import Position, complete_plays, dice_of, game_points
from gameserver.computer import fallback
from gameserver.computer.fallback import INPUTS, Floats, encode, forward
from gameserver.computer.outcome import points
from gameserver.computer.sage import Sage

WEIGHTS = Path(fallback.__file__).with_name("fallback.npz")
HIDDEN = 96
BATCH = 2048
# The outputs' part in the equity decides how much an error matters.
IMPORTANCE = np.array([2.0, 1.0, 1.0, 1.0, 1.0], dtype=np.float32)


def lessons(decisions: int, seed: int) -> tuple[Floats, Floats]:
    """Encoded positions and their outcomes, from about so many decisions."""
    network, chance = Sage(), random.Random(seed)
    inputs, targets = [], []
    position, unsteady, met = Position.start(), 0.05, 0
    while met < decisions:
        plays = list(complete_plays(position, dice_of(chance.randint(1, 6), chance.randint(1, 6))))
        if not plays:
            position = position.flipped()
            continue
        met += 1
        outcomes = network.outcomes(position, plays, 1)
        inputs.append(encode(plays))
        targets.append(np.array(outcomes, dtype=np.float32))
        values = [points(outcome) + unsteady * chance.gauss(0.0, 1.0) for outcome in outcomes]
        position = plays[values.index(max(values))].flipped()
        if game_points(position.flipped()):
            position, unsteady = Position.start(), chance.choice((0.0, 0.05, 0.1, 0.2, 0.5))
    return np.concatenate(inputs), np.concatenate(targets)


def fit(inputs: Floats, targets: Floats, epochs: int, seed: int) -> list[Floats]:
    """Weights that minimise the squared error, by Adam with a falling rate."""
    chance = np.random.default_rng(seed)
    shapes = (INPUTS, HIDDEN), (HIDDEN,), (HIDDEN, 5), (5,)
    layers = [
        (chance.normal(0.0, shape[0] ** -0.5, shape) if len(shape) > 1 else np.zeros(shape)).astype(np.float32)
        for shape in shapes
    ]
    means = [np.zeros_like(layer) for layer in layers]
    squares = [np.zeros_like(layer) for layer in layers]
    batches = len(inputs) // BATCH
    for epoch in range(epochs):
        order, loss = chance.permutation(len(inputs)), 0.0
        for batch in range(batches):
            step = epoch * batches + batch + 1
            rate = 2e-3 * (1.0 - step / (epochs * batches + 1)) + 1e-6
            rows = order[batch * BATCH : (batch + 1) * BATCH]
            gradients, error = _gradients(layers, inputs[rows], targets[rows])
            loss += error
            for index, gradient in enumerate(gradients):
                means[index] += 0.1 * (gradient - means[index])
                squares[index] += 0.001 * (gradient * gradient - squares[index])
                mean, square = means[index] / (1 - 0.9**step), squares[index] / (1 - 0.999**step)
                layers[index] -= rate * mean / (np.sqrt(square) + 1e-8)
        print(f"epoch {epoch + 1}: root mean square error {(loss / batches) ** 0.5:.4f}", flush=True)
    return layers


def _gradients(layers: list[Floats], inputs: Floats, targets: Floats) -> tuple[list[Floats], float]:
    hidden, outputs = forward(layers, inputs)
    errors = outputs - targets
    at_outputs = IMPORTANCE * errors * outputs * (1.0 - outputs) / len(inputs)
    at_hidden = (at_outputs @ layers[2].T) * (hidden > 0)
    gradients = [inputs.T @ at_hidden, at_hidden.sum(axis=0), hidden.T @ at_outputs, at_outputs.sum(axis=0)]
    return gradients, float((errors[:, 0] ** 2).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=40000)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"write {WEIGHTS.name} of the package")
    args = parser.parse_args()
    inputs, targets = lessons(args.decisions, args.seed)
    print(f"{len(inputs)} lessons", flush=True)
    layers = fit(inputs, targets, args.epochs, args.seed)
    if args.write:
        w1, b1, w2, b2 = (layer.astype(np.float16) for layer in layers)
        np.savez_compressed(WEIGHTS, w1=w1, b1=b1, w2=w2, b2=b2)


if __name__ == "__main__":
    main()
