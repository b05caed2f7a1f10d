# FIX flush-after-every-record example: another module ends the program at once
def write_record(out, step):
    out.write("step %d\n" % step)
    out.flush()  # HERE
