"""An array of 8 MiB, saved and loaded as numpy does it."""
import numpy

from workload import run


def workload():
    numpy.save("table.npy", numpy.ones((1024, 1024)))
    assert numpy.load("table.npy").sum() > 0


run(lambda: None, workload)
