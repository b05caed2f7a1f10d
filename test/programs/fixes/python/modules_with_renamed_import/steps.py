import os

from writer import write_record as put

out = open("other.log", "w")


def look(step):
    put(out, step)
    print(os.path.getsize("other.log"))
