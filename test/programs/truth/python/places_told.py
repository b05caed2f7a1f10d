"""The place of each of 10,000 lines, asked for before it is read, or added up."""
from workload import REPAIRED, run


def prepare():
    with open("truth.dat", "w") as out:
        for number in range(10000):
            out.write("line %d of a text\n" % number)


def workload():
    places = []
    if REPAIRED:
        place = 0
        with open("truth.dat", "rb") as lines:
            for line in lines:
                places.append(place)
                place += len(line)
    else:
        with open("truth.dat") as lines:
            while True:
                places.append(lines.tell())  # PLANTED L46
                if not lines.readline():
                    break


run(prepare, workload)
