from writer import write_record
import steps

with open("run.log", "w") as out:
    for step in range(100):
        write_record(out, step)
        steps.look(step)
