# FIX open-close-in-loop trade: an empty file is left where there is no record
def run(path, records):
    for record in records:
        with open(path, "a") as log:  # HERE
            log.write(record)


run("out", ["a", "b"])
print(open("out").read())
