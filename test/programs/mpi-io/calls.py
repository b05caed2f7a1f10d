"""MPI-IO from Python. usage: calls.py FILE LISTING, with 4 ranks; LISTING.<rank> is as calls.c writes it.

mpi4py is a plugin that is loaded with an MPI library of its own, which the rest of the process does not see.
"""

import sys

from mpi4py import MPI

BYTES = 400


def main(path, listing):
    rank = MPI.COMM_WORLD.Get_rank()
    own = rank * BYTES
    numbers = bytearray(range(100)) * 4
    with open(f"{listing}.{rank}", "w") as lines:

        def did(function, moved=-1, offset=-1):
            print(function, moved, moved, offset, file=lines)

        file = MPI.File.Open(MPI.COMM_WORLD, path, MPI.MODE_CREATE | MPI.MODE_RDWR)
        did("MPI_File_open")
        file.Write_at(own, numbers)
        did("MPI_File_write_at", BYTES, own)
        file.Write_at_all(own, numbers)
        did("MPI_File_write_at_all", BYTES, own)
        file.Iread_at(own, numbers).Wait()
        did("MPI_File_iread_at", BYTES, own)
        MPI.Request.Waitall([file.Iwrite_at(own, numbers), file.Iwrite_at(own, numbers[:100])])
        did("MPI_File_iwrite_at", BYTES, own)
        did("MPI_File_iwrite_at", 100, own)
        file.Close()
        did("MPI_File_close")


main(*sys.argv[1:])
