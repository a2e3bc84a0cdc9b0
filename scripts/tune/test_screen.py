"""Tests of screen.py: python3 -m unittest discover scripts/tune"""

import random
import unittest

import screen


class Screening(unittest.TestCase):
    def test_every_pass_is_balanced_and_tells_all_changes_apart(self):
        for count in (1, 3, 7, 11):
            size = len(screen.hadamard(count + 1))
            rows = [screen.signs(count, 3 * size + i, 5) for i in range(size)]
            for a in range(count):
                self.assertEqual(sum(row[a] for row in rows), 0)
                for b in range(a):
                    self.assertEqual(sum(row[a] * row[b] for row in rows), 0)

    def test_gains_are_found_in_noisy_games(self):
        true = [40, 0, -25, 10, 0]
        noise = random.Random(1)
        matches = []
        for number in range(800):
            row = screen.signs(len(true), number, 2)
            chance = 1 / (1 + 10 ** (-sum(x * gain for x, gain in zip(row, true)) / 400))
            wins = sum(noise.random() < chance for _ in range(20))
            matches.append({"signs": row, "wins": wins, "draws": 0, "losses": 20 - wins})
        gains, error = screen.effects(matches, len(true))
        for gain, expected in zip(gains, true):
            self.assertAlmostEqual(gain, expected, delta=1.5 * error + 2)

    def test_wrong_changes_are_named(self):
        options = {"a": (1, 0, 9)}
        self.assertEqual(screen.parse(["a=3", "a=4:2"], options), {"a": (4, 2)})
        for text in ("b=1", "a", "a=x", "a=10", "a=1:-1"):
            with self.assertRaises(screen.Fault):
                screen.parse([text], options)


if __name__ == "__main__":
    unittest.main()
