"""Whether a file is there, asked 6,000 times, or once."""
import os

from workload import REPAIRED, run


def prepare():
    open("truth.dat", "w").close()


def workload():
    there = os.path.exists("truth.dat")
    found = 0
    for _ in range(6000):
        if not REPAIRED:
            there = os.path.exists("truth.dat")  # PLANTED L12
        found += there
    assert found == 6000


run(prepare, workload)
