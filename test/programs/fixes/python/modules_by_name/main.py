import writer

with open("run.log", "w") as out:
    for step in range(100):
        writer.write_record(out, step)
