"""The key that signs is replaced while games go on; cookies are kept from scripts, other sites and plain HTTP."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ..devices.visitors import Browser
from ..processes.programs import running

OLD, NEW = "an old key that is long enough to sign with", "a new key that is long enough to sign with!"


@contextlib.contextmanager
def serving(redis_url: str, keys: str, **variables: str) -> Iterator[str]:
    with running("serve", REDIS_URL=redis_url, SECRET_KEY=keys, **variables) as program:
        yield program.address()


async def test_the_key_is_replaced_server_by_server_and_nobody_is_signed_out(redis_url: str) -> None:
    with serving(redis_url, OLD) as before:
        player = await Browser.arrive(before)
        session = await player.start()
        signed_by_old = player.cookie
        # First every server learns the new key and still signs with the old one; then the new one signs.
        with serving(redis_url, f"{OLD},{NEW}") as learnt, serving(redis_url, f"{NEW},{OLD}") as between:
            for origin in (learnt, between, learnt):
                player.origin = origin
                assert await player.unfinished() == {session}
            player.origin = between
            await player.open_page()
            assert player.cookie != signed_by_old
            player.origin = learnt
            assert await player.unfinished() == {session}
    with serving(redis_url, NEW) as after:
        player.origin = after
        assert await player.unfinished() == {session}
        left_behind = Browser(after, signed_by_old)
        status, _, _ = await left_behind.request("GET", "/api/lobby")
        assert status == 401


async def test_every_cookie_is_kept_from_scripts_and_other_sites_and_behind_tls_from_plain_http(redis_url: str) -> None:
    with serving(redis_url, NEW, TRUSTED_PROXIES="127.0.0.1", ALLOWED_ORIGINS="https://play.example") as origin:
        first, second = TlsBrowser(origin), TlsBrowser(origin)
        for browser in (first, second):
            await browser.open_page()
        await second.start()
        await second.join(first, "leave")
        assert set(second.cookies) == {"shuanglu", "shuanglu-own"}
        await second.call("DELETE", f"devices/{await second.device()}")
        await second.open_page()
        assert set(second.cookies) == {"shuanglu"}
        given = first.given + second.given
    assert len(given) == 6
    for cookie in given:
        flags = {flag.strip().lower() for flag in cookie.split(";")[1:]}
        assert {"httponly", "samesite=lax", "path=/", "secure"} <= flags, cookie
        assert not any(flag.startswith("domain") for flag in flags)


class TlsBrowser(Browser):
    """A browser that reaches the server through a proxy that speaks TLS; it writes down the cookies it is given."""

    given: list[str]

    async def request(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        through = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7", "Origin": "https://play.example"}
        return await super().request(method, path, body, {**through, **(headers or {})})

    def _keep(self, given: list[str]) -> None:
        self.given = [*getattr(self, "given", []), *given]
        super()._keep(given)
