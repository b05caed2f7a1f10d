# FIX flush-after-every-record trade: what is called stands in this file and only computes
import random
import statistics

random.seed(7)


def mean(values):
    return statistics.mean(values)


with open("out", "w") as log:
    for step in range(10):
        values = [random.random() for _ in range(5)]
        log.write("{:.6f}\n".format(mean(values)))
        log.flush()  # HERE
        print(step)
