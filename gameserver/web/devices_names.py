"""What a device is called in the list of a player's devices: its browser and its system, from what the browser says."""

from typing import Final

# The first that fits: many browsers name others, too, for old servers' sake.
_BROWSERS: Final = (
    ("MicroMessenger/", "WeChat"),
    ("EdgiOS/", "Edge"),
    ("EdgA/", "Edge"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("HuaweiBrowser/", "Huawei Browser"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("HarmonyOS", "HarmonyOS"),
    ("OpenHarmony", "HarmonyOS"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


def device_name(user_agent: str) -> str:
    """The browser and the system that this User-Agent names, as far as they are known.

    >>> device_name("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Windows'
    >>> device_name("curl/8.5.0")
    '?'
    """
    found = [next((name for mark, name in known if mark in user_agent), None) for known in (_BROWSERS, _SYSTEMS)]
    return ", ".join(name for name in found if name is not None) or "?"
