# FIX flush-after-every-record example: os._exit writes no buffer
import os

with open("out", "w") as log:
    for step in range(5):
        log.write(f"{step}\n")
        log.flush()  # HERE
        if step == 3:
            os._exit(0)
