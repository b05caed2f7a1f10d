"""200 samples, loaded from a file each in five rounds, or taken from one array."""
import os

import numpy as np

from workload import REPAIRED, run


def prepare():
    os.makedirs("samples.dat.d", exist_ok=True)
    for number in range(200):
        np.save("samples.dat.d/%d.npy" % number, np.arange(64.0))
    np.save("truth.npy", np.zeros((200, 64)))


def workload():
    total = 0.0
    if REPAIRED:
        samples = np.load("truth.npy")
    for number in range(1000):
        if REPAIRED:
            total += samples[number % 200].sum()
        else:
            sample = np.load("samples.dat.d/%d.npy" % (number % 200))  # PLANTED L37
            total += sample.sum()


run(prepare, workload)
