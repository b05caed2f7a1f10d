# FIX flush-after-every-record example: another function opens another file under the name
log = None


def start(path):
    global log
    log = open(path, "w")


def record(step):
    log.write(f"{step}\n")
    log.flush()  # HERE


start("out")
record(1)
print(open("out").read())
start("other")
record(2)
print(open("other").read())
