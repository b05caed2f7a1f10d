# FIX flush-after-every-record example: between two turns other code runs
def steps(path):
    with open(path, "w") as log:
        for step in range(4):
            log.write(f"{step}\n")
            log.flush()  # HERE
            yield step


for step in steps("out"):
    print(step, open("out").read())
