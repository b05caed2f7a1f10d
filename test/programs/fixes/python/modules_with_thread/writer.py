# FIX flush-after-every-record example: a thread of another module asks for the size
def write_record(out, step):
    out.write("step %d\n" % step)
    out.flush()  # HERE
