# FIX flush-after-every-record example: a forked child would write the buffer once more
import os

with open("out", "w") as log:
    log.write("parent\n")
    for step in range(3):
        log.write(f"{step}\n")
        log.flush()  # HERE
        if os.fork() == 0:
            raise SystemExit
        os.wait()
