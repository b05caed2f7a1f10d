# FIX flush-after-every-record example: an object keeps the file and asks for its size
import os


class Size:
    def __init__(self, file):
        self.file = file

    def now(self):
        return os.stat(self.file.name).st_size


with open("out", "w") as log:
    size = Size(log)
    for step in range(5):
        log.write(f"{step}\n")
        log.flush()  # HERE
        print(size.now())
