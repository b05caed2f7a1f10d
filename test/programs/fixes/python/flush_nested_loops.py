# FIX flush-after-every-record trade: both loops stand in the with, and a break leaves only the inner one
def run(path, rows):
    with open(path, "w") as log:
        for row in rows:
            for value in row:
                if value < 0:
                    break
                log.write("%d " % value)
                log.flush()  # HERE
            else:
                log.write("|")
            log.write("\n")


run("out", [[1, 2, 3], [4, -1, 5], []])
print(open("out").read())
