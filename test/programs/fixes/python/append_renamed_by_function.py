# FIX open-close-in-loop example: a function of this file moves the file away
import os


def rotate(step):
    if step % 2:
        os.rename("out", f"out.{step}")


def number():
    for step in range(5):
        rotate(step)
        yield step


for step in number():
    with open("out", "a") as log:  # HERE
        log.write(f"{step}\n")
