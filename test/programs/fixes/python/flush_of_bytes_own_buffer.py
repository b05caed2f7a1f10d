# FIX flush-after-every-record trade: the file has a buffer of a known size
import struct

with open("out", "wb", buffering=4096) as out:
    for i in range(200):
        out.write(struct.pack("<id", i, i / 3))
        out.flush()  # HERE
