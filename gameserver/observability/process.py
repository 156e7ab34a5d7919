"""What the operating system says of this process, under the names that every exporter uses."""

import os
from collections.abc import Callable
from pathlib import Path

from gameserver.observability.metrics import Registry


def watch_process(registry: Registry) -> Callable[[], None]:
    """Declare the process' figures; the answer brings them up to date and is to be called before each showing."""
    cpu = registry.counter("process_cpu_seconds_total", "CPU time of the process in seconds.")
    memory = registry.gauge("process_resident_memory_bytes", "Resident memory of the process in bytes.")
    files = registry.gauge("process_open_fds", "Open file descriptors.")
    limit = registry.gauge("process_max_fds", "How many file descriptors may be open.")
    page = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096

    def update() -> None:
        times = os.times()
        cpu.value = times.user + times.system
        own = Path("/proc/self")
        if own.exists():
            memory.value = int((own / "statm").read_text().split()[1]) * page
            files.value = len(os.listdir(own / "fd"))
            limit.value = _limit_of_files()

    return update


def _limit_of_files() -> int:
    import resource  # noqa: PLC0415 - not there on Windows

    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
