"""Stands in for the pipeline of Sankaran et al.: strace text to a table, to activities, to a Directly-Follows-Graph, by pandas."""
import re
import sys
import pandas as pd

WHOLE = re.compile(r"^(\d+)\s+([\d.]+) (\w+)\((.*?)\) = (\S+).*<([\d.]+)>$")
BEGUN = re.compile(r"^(\d+)\s+([\d.]+) (\w+)\((.*) <unfinished \.\.\.>$")
RESUMED = re.compile(r"^(\d+)\s+[\d.]+ <\.\.\. (\w+) resumed>(.*)\) = (\S+).*<([\d.]+)>$")
PATH = re.compile(r"[<\"](/[^>\"]*)")

rows, begun = [], {}
for line in open(sys.argv[1], errors="replace"):
    line = line.rstrip("\n")
    if match := WHOLE.match(line):
        rows.append(match.groups())
    elif match := BEGUN.match(line):
        begun[match[1]] = match.groups()
    elif (match := RESUMED.match(line)) and match[1] in begun:
        pid, start, call, args = begun.pop(match[1])
        rows.append((pid, start, call, args + match[3], match[4], match[5]))
log = pd.DataFrame(rows, columns=["pid", "start", "call", "args", "result", "duration"])
log["start"] = log["start"].astype(float)
log["duration"] = log["duration"].astype(float)
log["path"] = [match[1] if (match := PATH.search(args)) else "" for args in log["args"]]
log["activity"] = log["call"] + ":" + log["path"].str.split("/", n=3).str[:3].str.join("/")
log = log.sort_values("start", kind="stable")
following = log.groupby("path")["activity"].shift(-1)
edges = log.groupby(["activity", following]).size()
print(log.groupby("activity")["duration"].agg(["count", "sum"]).to_string())
print(edges.to_string())
