"""2,000 rows of an array, each by tofile, which flushes and asks where the file stands; or the array at once."""
import numpy

from workload import REPAIRED, run


def workload():
    table = numpy.zeros((2000, 16))
    with open("truth.dat", "wb") as out:
        if REPAIRED:
            table.tofile(out)
        else:
            for row in table:
                row.tofile(out)  # PLANTED L02|P06|L04|L03


run(lambda: None, workload)
