from writer import write_record
from steps import look

with open("run.log", "w") as out:
    for step in range(100):
        write_record(out, step)
        look(step)
