# FIX flush-after-every-record example: the same program reads what was flushed
def count():
    with open("out") as reader:
        return len(reader.readlines())


with open("out", "w") as log:
    for step in range(5):
        log.write(f"{step}\n")
        log.flush()  # HERE
        print(count())
