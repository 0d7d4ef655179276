"""Devices as the node's health check finds them: NVML's recovery action for a code."""
from hosting.messages import Message

# Xids that NVIDIA's catalogue answers with more than a restart of the application. NVML names a
# recovery action for those, and GPUHealthCheck takes any of its actions for an unhealthy device.
_BEYOND_A_RESTART = frozenset((
    46, 48, 54, 62, 64, 74, 78, 79, 95, 109, 110, 119, 120, 136, 140, 142, 143, 144, 145, 146,
    147, 148, 149, 150, 151, 155, 156, 158
))


def needs_recovery(fault: Message) -> bool:
    """Whether the device of the fault asks for more than a restart; of a code that is no Xid its
    severity says so, which is major where nobody said."""
    vendor, _, number = fault["code"].partition(":")
    if vendor == "xid" and number.isdigit():
        return int(number) in _BEYOND_A_RESTART
    return fault.get("severity", "major") in ("major", "critical")
