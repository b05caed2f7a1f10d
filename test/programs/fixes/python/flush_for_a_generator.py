# FIX flush-after-every-record example: the rows come from a generator that reads the file
def counted(count):
    for turn in range(count):
        if turn == 5:
            print(sum(1 for line in open("out")))
        yield turn


def run(rows):
    with open("out", "w") as log:
        for row in rows:
            log.write("%d\n" % row)
            log.flush()  # HERE


run(counted(9))
