"""Measure the solver of whole poses: python -m benchmarks.neural_ik [--quick] [--docs FILE] [--json FILE]."""

import argparse
from pathlib import Path

from benchmarks import table
from benchmarks.neural_ik import report
from benchmarks.neural_ik.people import mocap_folder
from benchmarks.neural_ik.run import FULL, QUICK, measure


def main() -> None:
    """Measure, print the tables, and write them where that is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.neural_ik", description="Measure the solver of whole poses."
    )
    parser.add_argument("--quick", action="store_true", help="few poses: seconds")
    parser.add_argument(
        "--data", type=Path, help="folder of the motion capture (default: data/mocap of the shared data)"
    )
    parser.add_argument("--weights", type=Path, help="weights of ours (default: the bundled ones)")
    parser.add_argument(
        "--json",
        type=Path,
        default=Path("out/neural_ik.json"),
        help="file for all figures (default: %(default)s)",
    )
    parser.add_argument(
        "--docs", type=Path, help="document whose tables are replaced, as docs/internals/neural-ik.md"
    )
    options = parser.parse_args()
    results = measure(mocap_folder(options.data), QUICK if options.quick else FULL, options.weights)
    rows = report.floors(results)
    text = report.markdown(results, rows)
    print(text)
    table.print_table(rows)
    report.save(results, rows, options.json)
    if options.docs:
        report.put_into(options.docs, text)


if __name__ == "__main__":
    main()
