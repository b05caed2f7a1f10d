# FIX flush-after-every-record example: a property reads the file
class State:
    @property
    def lines(self):
        with open("out") as reader:
            return len(reader.readlines())


state = State()
with open("out", "w") as log:
    for step in range(3):
        log.write(f"{step}\n")
        log.flush()  # HERE
        if state.lines > 1:
            log.write("more\n")
