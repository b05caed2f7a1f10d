# FIX posix-small-writes example: the file is read by its name before it is closed
with open("out", "wb", 0) as file:  # HERE
    for step in range(5):
        file.write(b"%d," % step)
    print(open("out", "rb").read())
