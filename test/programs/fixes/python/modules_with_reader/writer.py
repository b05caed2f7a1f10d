# FIX flush-after-every-record example: another module reads the file
def write_record(out, step):
    out.write("step %d\n" % step)
    out.flush()  # HERE
