"""Everything of a Darshan log as data frames, by PyDarshan."""
import sys
import darshan

report = darshan.DarshanReport(sys.argv[1], read_all=True)
for module in list(report.modules):
    if module.startswith("DXT_"):
        report.mod_read_all_dxt_records(module, dtype="pandas")
        print(module, len(report.records[module]))
    elif module in report.records and module != "HEATMAP":
        frames = report.records[module].to_df()
        print(module, len(frames))
