# FIX posix-small-writes example: nothing closes the file before another reads it
out = open("out", "wb", buffering=0)  # HERE
for step in range(5):
    out.write(b"%d," % step)
print(open("out", "rb").read())
