from steps import numbers
from writer import write_record

with open("run.log", "w") as out:
    for step in numbers():
        write_record(out, step)
