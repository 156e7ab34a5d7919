"""The browser tests' own browser serves here, too."""

from ..browser.conftest import browser, new_context

__all__ = ["browser", "new_context"]
