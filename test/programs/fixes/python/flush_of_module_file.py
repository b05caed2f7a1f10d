# FIX flush-after-every-record trade: a function uses the file that the module opened
import math

log = open("out", "w")


def step(i):
    log.write("%.3f\n" % math.sin(i))
    log.flush()  # HERE


for i in range(40):
    step(i)
log.close()
