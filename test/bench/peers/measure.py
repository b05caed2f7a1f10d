"""Runs a command, its output into a file: prints the seconds that passed, those of the processors, its memory, and how it ended."""
import json, os, signal, sys, time

seconds, output, *command = sys.argv[1:]
started = time.monotonic()
pid = os.fork()
if pid == 0:
    os.setpgid(0, 0)
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.execvp(command[0], command)


def end(*_):
    os.killpg(pid, signal.SIGKILL)


signal.signal(signal.SIGALRM, end)
signal.alarm(int(seconds))
_, status, usage = os.wait4(pid, 0)
passed = time.monotonic() - started
signal.alarm(0)
print(json.dumps({
    "passed": passed,
    "processors": usage.ru_utime + usage.ru_stime,
    "peak": usage.ru_maxrss * 1024,
    "status": os.waitstatus_to_exitcode(status),
    "isLate": passed >= int(seconds),
}))
