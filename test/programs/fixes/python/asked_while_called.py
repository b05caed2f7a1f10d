# FIX repeated-questions example: a function that the loop calls makes the file
import os


def make(step):
    if step == 10:
        with open("table", "w") as out:
            out.write("x")


found = 0
for step in range(20):
    there = os.path.exists("table")  # HERE
    found += there * step
    make(step)
print(found)
