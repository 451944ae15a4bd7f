"""The benchmarks of Tallystick: ratios, measured side by side in one run.

    python -m bench                 every figure, and bench/results/latest.json
    python -m bench --quick         every figure in small, in under a minute
    python -m bench --only pair     one figure

Each figure is a module with one function, `figures`. What is compared stands in `contenders`, one module
each, and runs in a process of its own, so that no contender pays for another's imports or threads.
"""
