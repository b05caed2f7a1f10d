# FIX posix-small-writes example: the descriptor is written to directly
import os

with open("out", "wb", buffering=0) as file:  # HERE
    for step in range(5):
        file.write(b"%d," % step)
        os.write(file.fileno(), b";")
