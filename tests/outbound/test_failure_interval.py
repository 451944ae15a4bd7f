"""When failures of a tool are more than chance."""

import pytest

from tallystick.operations.notifications.alerts import failure_interval


def test_the_interval_of_failures_is_wide_for_few_calls_and_narrow_for_many() -> None:
    assert failure_interval(5, 5) == pytest.approx((0.5655, 1.0), abs=1e-3)
    assert failure_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-3)
    assert failure_interval(100, 1000) == pytest.approx((0.0829, 0.1202), abs=1e-3)
