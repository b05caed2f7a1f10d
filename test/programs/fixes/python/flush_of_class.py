# FIX flush-after-every-record example: an object's file is open as long as the object lives
class Log:
    def __init__(self, path):
        self.file = open(path, "w")

    def record(self, text):
        self.file.write(text)
        self.file.flush()  # HERE


log = Log("out")
for step in range(3):
    log.record(f"{step}\n")
    print(open("out").read())
