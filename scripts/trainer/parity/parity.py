#!/usr/bin/env python3
"""The first losses of a training run, computed without the trainer.

An independent account of what the trainer does, in float64 and with dense matrices: it reads the
records, works out what both players see, and takes AdamW steps along a gradient derived by hand.
That gradient is first compared with central differences. Needs numpy and nothing else:

    python3 parity.py FILE VARIANT HIDDEN BATCH SEED

prints the mean squared error of each of the first eight batches, before the step on it. The
trainer's test `parity` must see the same numbers.
"""

import struct
import sys

import numpy as np

STEPS = 8
BUCKETS = 8
SCALE = 400.0
LAMBDA, RATE, DECAY = 0.3, 1e-3, 0.01
# Largest size of weights: what the engine's integers hold.
CLIP, OUTPUT_CLIP = 1.98, 127 / 256
BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8

# Kinds of men, squares, men of a game.
GAMES = {"makruk": (6, 64, 32), "asean": (6, 64, 32), "makhos": (2, 32, 16)}


def read_records(path, variant):
    """The records to train on: (men as (plane, square), score, result, black to move)."""
    with open(path, "rb") as file:
        data = file.read()
    magic, name, training, _ = struct.unpack_from("<8s8sQQ", data)
    assert magic == b"HNRECS01" and name.rstrip(b"\0").decode() == variant
    records = []
    for i in range(training):
        occupied, men, score, result, black, _, _ = struct.unpack_from("<Q16shb?HH", data, 32 + 32 * i)
        squares = [s for s in range(64) if occupied >> s & 1]
        planes = [men[n // 2] >> 4 * (n % 2) & 15 for n in range(len(squares))]
        records.append((list(zip(planes, squares)), score, result, black))
    return records


def seen(men, black, variant):
    """The features that a player sees: own men first, the own side at the bottom; in the chess
    games mirrored so that the own king stands on the files a to d."""
    kinds, squares, _ = GAMES[variant]
    features = []
    own_king = [s for plane, s in men if variant != "makhos" and plane == 5 + (kinds if black else 0)]
    for plane, square in men:
        own = (plane >= kinds) == black
        if variant == "makhos":
            square = 31 - square if black else square
        else:
            file, rank = square % 8, square // 8
            rank = 7 - rank if black else rank
            file = 7 - file if own_king[0] % 8 >= 4 else file
            square = 8 * rank + file
        features.append(((0 if own else kinds) + plane % kinds) * squares + square)
    return features


def encode(records, variant):
    """Dense inputs of both players, buckets and targets."""
    kinds, squares, most = GAMES[variant]
    inputs = np.zeros((2, len(records), 2 * kinds * squares))
    buckets = np.zeros(len(records), dtype=int)
    targets = np.zeros(len(records))
    for i, (men, score, result, black) in enumerate(records):
        for half, side in enumerate((black, not black)):
            inputs[half, i, seen(men, side, variant)] = 1.0
        buckets[i] = min((len(men) - 1) * BUCKETS // most, BUCKETS - 1)
        expected = 1.0 / (1.0 + np.exp(-score / SCALE))
        targets[i] = LAMBDA * (result + 1) / 2 + (1 - LAMBDA) * expected
    return inputs, buckets, targets


class Random:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def uniform(self, limit, shape):
        """Numbers between -limit and limit, rounded to float32 as the trainer has them."""
        bits = [self.next() >> 40 for _ in range(int(np.prod(shape)))]
        share = np.array(bits, dtype=np.float32) / np.float32(2**23) - np.float32(1)
        return (share * np.float32(limit)).astype(np.float64).reshape(shape)


def first_weights(variant, hidden, seed):
    kinds, squares, _ = GAMES[variant]
    inputs = 2 * kinds * squares
    random = Random(seed)
    return {
        "features": random.uniform(np.float32(2) / np.sqrt(np.float32(inputs)), (inputs, hidden)),
        "biases": np.zeros(hidden),
        "outputs": random.uniform(np.float32(1) / np.sqrt(np.float32(hidden)), (BUCKETS, 2, hidden)),
        "output_biases": np.zeros(BUCKETS),
    }


def forward(weights, inputs, buckets):
    sums = inputs @ weights["features"] + weights["biases"]  # [half, record, unit]
    units = np.clip(sums, 0, 1) ** 2
    chosen = weights["outputs"][buckets].transpose(1, 0, 2)  # [half, record, unit]
    outputs = (units * chosen).sum(axis=(0, 2)) + weights["output_biases"][buckets]
    return sums, units, chosen, 1 / (1 + np.exp(-outputs))


def loss_of(weights, inputs, buckets, targets):
    return np.mean((forward(weights, inputs, buckets)[3] - targets) ** 2)


def loss_and_gradient(weights, inputs, buckets, targets):
    sums, units, chosen, expected = forward(weights, inputs, buckets)
    error = expected - targets
    slope = 2 * error * expected * (1 - expected) / len(targets)
    by_unit = slope[None, :, None] * chosen * 2 * np.clip(sums, 0, 1) * (sums < 1)
    outputs = np.zeros_like(weights["outputs"])
    for half in range(2):
        np.add.at(outputs[:, half], buckets, slope[:, None] * units[half])
    gradient = {
        "features": sum(inputs[half].T @ by_unit[half] for half in range(2)),
        "biases": by_unit.sum(axis=(0, 1)),
        "outputs": outputs,
        "output_biases": np.bincount(buckets, slope, BUCKETS),
    }
    return np.mean(error**2), gradient


def check_gradient(weights, batch):
    """Compares the gradient with central differences, at the largest and at random places."""
    _, gradient = loss_and_gradient(weights, *batch)
    random = np.random.default_rng(1)
    for name, values in weights.items():
        flat, slopes = values.reshape(-1), gradient[name].reshape(-1)
        largest = np.argsort(-np.abs(slopes))[:10]
        for i in [*largest, *random.integers(0, flat.size, 10)]:
            kept, step = flat[i], 1e-5
            flat[i] = kept + step
            above = loss_of(weights, *batch)
            flat[i] = kept - step
            below = loss_of(weights, *batch)
            flat[i] = kept
            measured = (above - below) / (2 * step)
            assert abs(measured - slopes[i]) < 1e-9 + 1e-5 * abs(slopes[i]), (name, i, measured, slopes[i])


def main():
    path, variant = sys.argv[1:3]
    hidden, batch, seed = map(int, sys.argv[3:])
    records = read_records(path, variant)
    assert len(records) >= STEPS * batch
    weights = first_weights(variant, hidden, seed)
    moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in weights.items()}
    for step in range(1, STEPS + 1):
        inputs = encode(records[(step - 1) * batch : step * batch], variant)
        if step in (1, STEPS):
            check_gradient(weights, inputs)
        loss, gradient = loss_and_gradient(weights, *inputs)
        print(f"{loss:.9f}")
        for name, (first, second) in moments.items():
            g = gradient[name]
            first += (1 - BETA1) * (g - first)
            second += (1 - BETA2) * (g * g - second)
            spread = np.sqrt(second / (1 - BETA2**step)) + EPSILON
            weights[name] *= 1 - RATE * DECAY
            weights[name] -= RATE * first / (1 - BETA1**step) / spread
            if name != "output_biases":
                clip = OUTPUT_CLIP if name == "outputs" else CLIP
                np.clip(weights[name], -clip, clip, out=weights[name])


main()
