"""Write the record anew: python -m tests.core.record [ROOM ...].

Right only where the answers are meant to be others; a commit that does it says which, and why.
"""

import sys
import time

from tests.core.record import record
from tests.core.record.condensed import condensed
from tests.core.record.scenarios import scenarios


def main(rooms: list[str]) -> int:
    """Write the record anew, of some rooms alone where they are named, and say what has changed."""
    known = record.read() if record.FILE.exists() else {}
    found: record.Record = {}
    for name, case in scenarios().items():
        kept = rooms and name.partition(":")[0] not in rooms and name in known
        if kept:
            found[name] = known[name]
            continue
        began = time.process_time()
        answer = case()
        print(f"{time.process_time() - began:.2f}", end=" ")
        found[name] = condensed(answer)
        differs = record.differences(name, answer, known.get(name, {}))
        print("\n    ".join([name, *differs] if differs else [f"{name}: as before"]))
    record.write(found)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
