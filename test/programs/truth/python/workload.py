"""A workload in Python that is repeated: "program.py FOLDER REPEATS [REPAIRED]", as workload.h has it for C."""
import os
import sys
import time

REPAIRED = int(sys.argv[3]) if len(sys.argv) > 3 else 0


def waited():
    with open("/proc/self/schedstat") as counts:
        return int(counts.read().split()[1])


def since_start():
    with open("/proc/self/stat") as status:
        ticks = int(status.read().rsplit(")", 1)[1].split()[19])
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) - ticks * 1000000000 // os.sysconf("SC_CLK_TCK")


def run(prepare, workload):
    repeats = int(sys.argv[2])
    os.chdir(sys.argv[1])
    if repeats == 0:
        prepare()
    waited_before, start = waited(), time.monotonic_ns()
    for _ in range(repeats):
        workload()
    print(time.monotonic_ns() - start, waited() - waited_before, since_start())
