# FIX flush-after-every-record example: the decorator looks at the file
import functools
import os


def measured(function):
    @functools.wraps(function)
    def inner(*operands):
        function(*operands)
        print(os.path.getsize("out"))

    return inner


@measured
def record(log, step):
    log.write(f"{step}\n")
    log.flush()  # HERE


with open("out", "w") as out:
    for step in range(3):
        record(out, step)
