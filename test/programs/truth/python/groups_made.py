"""300 steps in a group with a data set each, or in one data set."""
import h5py
import numpy as np

from workload import REPAIRED, run


def workload():
    with h5py.File("truth.h5", "w") as out:
        if REPAIRED:
            out["all"] = np.zeros((300, 16))
            return
        for step in range(300):
            group = out.create_group("step%d" % step)
            group["values"] = np.zeros(16)  # PLANTED L40


run(lambda: None, workload)
