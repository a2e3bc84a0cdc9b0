"""Tests of spsa.py: python3 -m unittest discover scripts/tune"""

import os
import random
import tempfile
import unittest

import spsa


def numbers():
    options = {"a": (50, 0, 100), "b": (10, -40, 40)}
    return spsa.chosen(["a", "b:3"], options)


SETTINGS = {"iterations": 2000, "rate": 0.02, "nodes": 1}


class Tuning(unittest.TestCase):
    def test_finds_the_optimum_of_noisy_games(self):
        best = {"a": 70, "b": -5}
        noise = random.Random(3)

        def play(up, down, _):
            def loss(x):
                return sum(((x[name] - best[name]) / 20) ** 2 for name in best)

            chance = 1 / (1 + 10 ** (loss(up) - loss(down)))
            wins = sum(noise.random() < chance for _ in range(8))
            return wins, 8 - wins

        state = {"iteration": 0, "numbers": numbers()}
        for i in range(SETTINGS["iterations"]):
            spsa.iterate(state, SETTINGS, play, random.Random(i))
        for name, value in best.items():
            self.assertAlmostEqual(state["numbers"][name]["value"], value, delta=5)

    def test_steps_and_rates_end_as_asked(self):
        step, rate = spsa.schedule(2000, 2000, 0.02)
        self.assertAlmostEqual(step, 1)
        self.assertAlmostEqual(rate, 0.02)
        self.assertGreater(spsa.schedule(1, 2000, 0.02)[0], 1)

    def test_whole_numbers_are_right_on_average_and_in_range(self):
        rng = random.Random(1)
        mean = sum(spsa.whole(-3.3, -10, 10, rng) for _ in range(20_000)) / 20_000
        self.assertAlmostEqual(mean, -3.3, delta=0.02)
        self.assertEqual(spsa.whole(99.0, 0, 5, rng), 5)

    def test_a_run_goes_on_and_only_with_its_own_settings(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state.json")
            state = spsa.load(path, numbers(), SETTINGS)
            state["iteration"] = 7
            spsa.save(path, state)
            longer = {**SETTINGS, "iterations": 3000}
            self.assertEqual(spsa.load(path, numbers(), longer)["iteration"], 7)
            with self.assertRaises(spsa.Fault):
                spsa.load(path, numbers(), {**SETTINGS, "nodes": 2})

    def test_unknown_numbers_and_steps_are_told(self):
        for text in ["c", "a:x", "a:0"]:
            with self.assertRaises(spsa.Fault):
                spsa.chosen([text], {"a": (1, 0, 9)})


if __name__ == "__main__":
    unittest.main()
