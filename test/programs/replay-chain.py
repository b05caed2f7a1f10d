"""Five processes that hand files on: each reads what the one before it wrote, and overwrites part of a file of all."""
import os

PROCESSES = 5
pipes = [os.pipe() for _ in range(PROCESSES)]


def stage(rank):
    if rank > 0:
        os.read(pipes[rank][0], 1)
        source = os.open(f"stage.{rank - 1:03}", os.O_RDONLY)
        while os.read(source, 640):
            pass
        os.close(source)
    target = os.open(f"stage.{rank:03}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for _ in range(50):
        os.write(target, b"x" * 640)
    os.close(target)
    shared = os.open("shared", os.O_RDWR | os.O_CREAT, 0o644)
    for block in range(20):
        os.pwrite(shared, b"y" * 100, block * 200 + rank * 30)
    if rank == PROCESSES - 1:
        os.pread(shared, 4000, 0)
        os.rename("stage.000", "done.000")
        os.unlink("stage.001")
    os.fsync(shared)
    os.close(shared)
    if rank + 1 < PROCESSES:
        os.write(pipes[rank + 1][1], b"x")


children = []
for rank in range(PROCESSES):
    child = os.fork()
    if child == 0:
        stage(rank)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
