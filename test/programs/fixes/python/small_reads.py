# FIX posix-small-reads example: another writes behind what was read
with open("out", "wb") as file:
    file.write(b"0123456789" * 3)
with open("out", "rb", buffering=0) as file:  # HERE
    print(file.read(10))
    with open("out", "r+b") as other:
        other.seek(10)
        other.write(b"abcdefghij")
    print(file.read(10))
