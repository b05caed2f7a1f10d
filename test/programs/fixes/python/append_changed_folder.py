# FIX open-close-in-loop example: the name means another file in another folder
import os

os.mkdir("sub")
for step in range(3):
    with open("out", "a") as log:  # HERE
        log.write(f"{step}\n")
        if step == 1:
            os.chdir("sub")
