"""1,500 lines, each added to a log that is opened for it, or once."""
import os

from workload import REPAIRED, run


def workload():
    if os.path.exists("truth.dat"):
        os.unlink("truth.dat")
    log = open("truth.dat", "a") if REPAIRED else None
    for step in range(1500):
        if REPAIRED:
            log.write("step %d\n" % step)
        else:
            with open("truth.dat", "a") as out:  # PLANTED L02
                out.write("step %d\n" % step)
    if log:
        log.close()


run(lambda: None, workload)
