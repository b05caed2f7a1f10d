# FIX posix-small-writes example: a map of the file shows what is written
import mmap

with open("out", "wb", 0) as file:  # HERE
    file.write(b"0123456789")
    with open("out", "rb") as other:
        print(mmap.mmap(other.fileno(), 0, access=mmap.ACCESS_READ)[:])
