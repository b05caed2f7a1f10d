# FIX posix-small-writes trade: bytes that nobody reads meanwhile
def main(path):
    with open(path, "wb", buffering=0) as file:  # HERE
        for step in range(300):
            file.write(b"%6d" % step)


main("out")
