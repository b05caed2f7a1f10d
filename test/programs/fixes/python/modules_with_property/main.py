from writer import write_record
from steps import Steps

steps = Steps()

with open("run.log", "w") as out:
    for step in range(100):
        write_record(out, step)
        if step == 50:
            print(steps.size)
