# FIX flush-after-every-record example: a row of the rows may be a generator
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
