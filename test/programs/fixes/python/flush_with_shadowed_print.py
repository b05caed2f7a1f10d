# FIX flush-after-every-record example: print is a function that reads the file
show = print


def print(*_):
    show(open("out").read())


with open("out", "w") as log:
    for step in range(3):
        log.write(f"{step}\n")
        log.flush()  # HERE
        print(step)
