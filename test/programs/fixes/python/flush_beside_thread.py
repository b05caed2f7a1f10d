# FIX flush-after-every-record example: a thread looks at the file
import os
import threading

seen = threading.Event()
told = threading.Event()


def watch():
    told.wait()
    print(os.path.getsize("out"))
    seen.set()


watcher = threading.Thread(target=watch)
watcher.start()
with open("out", "w") as log:
    for step in range(3):
        log.write(f"{step}\n")
        log.flush()  # HERE
    told.set()
    seen.wait()
watcher.join()
