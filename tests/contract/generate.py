"""Makes the rows of table.toml as C++ initialisers. usage: generate.py table.toml OUTPUT. Refuses a table with a row that
has neither a scenario nor a reason, or both; an error that no scenario makes without its family or its trigger."""

import json
import pathlib
import sys
import tomllib

FAMILIES = {"Shape", "DType", "Dispatch", "Capture", "Gradient", "Compile", "Io", "Index"}
FIELDS = ("id", "outcome", "text", "family", "trigger", "remedy", "scenario", "reason")


def faults(rows):
    """What is wrong with the rows."""
    found, seen = [], set()
    for row in rows:
        name = row.get("id", "a row without an id")
        if name in seen:
            found.append(f"{name} is there twice")
        seen.add(name)
        found += [f"{name} has the unknown field {field}" for field in row if field not in FIELDS]
        found += [f"{name} has an empty {field}" for field in row if not row[field]]
        if ("scenario" in row) == ("reason" in row):
            found.append(f"{name} needs either a scenario or a reason")
        if ("text" in row) == ("outcome" in row):
            found.append(f"{name} needs either a text or an outcome")
        if "text" in row and "scenario" in row and row.get("family") not in FAMILIES:
            found.append(f"{name} needs the family of its error")
        if "text" in row and "scenario" in row and name.startswith("2.") and not ("trigger" in row and "remedy" in row):
            found.append(f"{name} needs a trigger and a remedy")
    return found


def main():
    source, target = map(pathlib.Path, sys.argv[1:])
    rows = tomllib.loads(source.read_text())["row"]
    if faults(rows):
        sys.exit("\n".join(f"{source}: {fault}" for fault in faults(rows)))
    fields = ("id", "outcome", "text", "family", "scenario", "reason")
    target.write_text("".join("{" + ", ".join(json.dumps(row.get(f, "")) for f in fields) + "},\n" for row in rows))


if __name__ == "__main__":
    main()
