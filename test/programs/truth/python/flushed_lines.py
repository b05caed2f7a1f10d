"""4,000 lines, each flushed, or when the buffer is full."""
from workload import REPAIRED, run


def workload():
    with open("truth.dat", "w") as out:
        for step in range(4000):
            out.write("step %d\n" % step)
            if not REPAIRED:
                out.flush()  # PLANTED P06|L04


run(lambda: None, workload)
