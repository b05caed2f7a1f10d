"""A workload in Python that is repeated: "program.py FOLDER REPEATS [REPAIRED]", as workload.h has it for C."""
import os
import sys
import time

REPAIRED = int(sys.argv[3]) if len(sys.argv) > 3 else 0


def waited():
    with open("/proc/self/schedstat") as counts:
        return int(counts.read().split()[1])


def run(prepare, workload):
    os.chdir(sys.argv[1])
    prepare()
    waited_before, start = waited(), time.monotonic_ns()
    for _ in range(int(sys.argv[2])):
        workload()
    print(time.monotonic_ns() - start, waited() - waited_before)
