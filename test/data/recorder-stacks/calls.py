# Calls through ctypes, of the interpreter itself and through callbacks.
import ctypes
import os
import sys

library = ctypes.CDLL(sys.argv[1])


class Reader:
    def read(self, depth):
        return self.read(depth - 1) if depth else library.checkpoint()


Reader().read(3)
callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda n: library.checkpoint())
callback(1)
sorted([3, 1, 2], key=lambda n: library.checkpoint() + n)
with open(os.devnull, 'rb') as file:
    os.read(file.fileno(), 7)
