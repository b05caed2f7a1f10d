"""Reads 20,000 lines by iterating over the file: Python's buffer makes few reads of them."""
from workload import run


def prepare():
    with open("truth.dat", "w") as out:
        out.writelines("%d %d\n" % (i, i * i) for i in range(20000))


def workload():
    with open("truth.dat") as lines:
        total = sum(int(line.split()[1]) for line in lines)
    assert total > 0


run(prepare, workload)
