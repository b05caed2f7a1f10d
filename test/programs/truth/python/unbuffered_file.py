"""4,000 records written without a buffer, or with one."""
from workload import REPAIRED, run


def workload():
    with open("truth.dat", "wb", buffering=-1 if REPAIRED else 0) as out:
        for step in range(4000):
            out.write(b"record %6d\n" % step)  # PLANTED P06


run(lambda: None, workload)
