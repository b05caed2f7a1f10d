"""Imports a good part of the library, computes, and writes a table through a buffer."""
import argparse, csv, decimal, email, html, http.client, json, logging, sqlite3, unittest, urllib.request, xml.dom.minidom

from workload import run


def workload():
    total = sum(i * i for i in range(300000))
    with open("truth.dat", "w", newline="") as out:
        table = csv.writer(out)
        for step in range(3000):
            table.writerow((step, total))


run(lambda: None, workload)
