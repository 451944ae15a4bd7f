"""The benchmarks of Tallystick: ratios, measured side by side in one run.

    python -m bench                 every figure, written to bench/results/latest.json
    python -m bench --quick         most figures with small rounds, in about two minutes
    python -m bench --only pair     one group of figures

Each group of figures is a module with one function, `figures`. The compared programs are modules in `contenders`. Each
runs in its own process, so that no contender pays for the imports or threads of another.
"""
