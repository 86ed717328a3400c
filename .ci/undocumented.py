"""Names the public symbols of symbol graphs that have no documentation comment, and fails if there is one."""

import json
import sys

missing = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    for symbol in graph["symbols"]:
        if "docComment" not in symbol and "location" in symbol:
            place = symbol["location"]
            missing.append(f"{place['uri'].rsplit('/', 1)[-1]}:{place['position']['line'] + 1}: {'.'.join(symbol['pathComponents'])}")
if missing:
    sys.exit("without documentation:\n" + "\n".join(sorted(missing)))
