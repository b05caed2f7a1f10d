"""1,000 rows of a data set, each by an assignment, or all by one."""
import h5py
import numpy

from workload import REPAIRED, run


def workload():
    table = numpy.zeros((1000, 32))
    with h5py.File("truth.h5", "w") as out:
        rows = out.create_dataset("rows", table.shape, dtype="f8")
        if REPAIRED:
            rows[...] = table
        else:
            for i, row in enumerate(table):
                rows[i] = row  # PLANTED L32|L14|P06


run(lambda: None, workload)
