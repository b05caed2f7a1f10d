# FIX flush-after-every-record example: a signal handler reads the file
import os
import signal


def show(*_):
    print(open("out").read())


signal.signal(signal.SIGUSR1, show)
with open("out", "w") as log:
    for step in range(3):
        log.write(f"{step}\n")
        log.flush()  # HERE
        os.kill(os.getpid(), signal.SIGUSR1)
