# FIX posix-small-writes trade: lines that nobody reads meanwhile
log = open("out", "w", 1)  # HERE
for step in range(30):
    log.write(f"step {step}\n")
log.close()
print(len(open("out").read()))
