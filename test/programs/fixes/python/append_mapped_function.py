# FIX open-close-in-loop example: a function that is handed to map runs in each turn
import os.path
from shutil import copyfile


def turn(i, copy=copyfile):
    if i % 4 == 3 and os.path.exists("log"):
        copy("log", "out")
    return i


for i in map(turn, range(1, 9)):
    with open("log", "a") as log:  # HERE
        log.write("record %d\n" % i)
