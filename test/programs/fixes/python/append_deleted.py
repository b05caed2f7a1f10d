# FIX open-close-in-loop example: the file is deleted in the loop
import os

for step in range(5):
    with open("out", "a") as log:  # HERE
        log.write(f"{step}\n")
        if step == 2:
            os.remove("out")
