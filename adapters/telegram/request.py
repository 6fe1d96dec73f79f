"""HTTP requests to the Bot API through aiohttp, several times as many a second as the library's own layer makes.

It knows nothing of what is asked. Two laws: no error text holds the address, for the token is in it; and an error says
whether the request may have reached the platform (`NotSentError`: it has not).
"""

from __future__ import annotations

import asyncio
import io
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

# The library has no public way to make the parameters of a call that is none of its methods.
from telegram.request._requestparameter import RequestParameter

from adapters.redaction import host_of
from adapters.telegram.chats import PLATFORM
from adapters.telegram.redaction import endpoint_of, redact, words_of
from bot import metrics

# Without it the library warns at every flood wait that `retry_after` is going to be a timedelta. We take it as one.
os.environ.setdefault("PTB_TIMEDELTA", "true")

PUBLIC_API = "https://api.telegram.org"

KEEP_ALIVE = 30.0
"""Seconds; well below what servers allow, so that no request is written into a connection that is being closed."""

LARGEST = 16 * 1024 * 1024
"""Bytes of an answer: many times what a hundred updates come to."""

MOST_QUOTED = 24
"""Bytes of an answer that nobody can read, by which to tell a page of a proxy from a torn one."""

_FORM = "application/x-www-form-urlencoded"


def server_of(api_url: str | None) -> str:
    """The Bot API server, without a slash at its end: Telegram's own, where there is no other."""
    return (api_url or PUBLIC_API).rstrip("/")


class NotSentError(NetworkError):
    """The request has not reached the platform: asking again cannot do anything twice."""


class NotSentTimeoutError(NotSentError, TimedOut):
    """There was no connection in time, so the request has not reached the platform."""


class AiohttpRequest(BaseRequest):
    """The library's request interface on one aiohttp session.

    At most `connections` requests are under way; more wait, first come first served, for `pool_timeout` at most. Times
    are seconds, None: for ever. `read_timeout` is the longest silence, and read, write and connect time-out together
    are the longest a request may take. `proxy` is an http address; without one the environment decides (HTTPS_PROXY,
    HTTP_PROXY, ALL_PROXY, NO_PROXY).
    """

    def __init__(
        self,
        connections: int = 64,
        *,
        read_timeout: float | None = 10.0,
        write_timeout: float | None = 10.0,
        connect_timeout: float | None = 5.0,
        pool_timeout: float | None = 10.0,
        upload_timeout: float | None = 30.0,
        proxy: str | None = None,
    ) -> None:
        self._read_timeout = read_timeout
        self._write_timeout = write_timeout
        self._connect_timeout = connect_timeout
        self._pool_timeout = pool_timeout
        self._upload_timeout = upload_timeout
        self._proxy = proxy
        self._proxies: dict[str, str | None] = {}
        self._places = asyncio.Semaphore(connections)
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float | None:
        """Seconds of silence, where a call does not say otherwise."""
        return self._read_timeout

    async def initialize(self) -> None:
        """Be ready for requests. Again changes nothing."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                # The places bound the connections, in order; a bounded pool would be a second queue.
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEP_ALIVE),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": self.USER_AGENT},
            )

    async def shutdown(self) -> None:
        """Close every connection. Again changes nothing; `initialize` makes it usable once more."""
        session, self._session = self._session, None
        self._proxies.clear()
        if session is not None:
            await session.close()

    async def raw(self, url: str, parameters: Mapping[str, object], *, wait: float = 0.0) -> Any:
        """The result of a call as it came, parsed as JSON and nothing more. Raises the library's errors.

        `wait` is how many seconds the platform itself may wait before it answers (the `timeout` of getUpdates).
        """
        given = [RequestParameter.from_input(name, value) for name, value in parameters.items()]
        read = None if self._read_timeout is None else self._read_timeout + wait
        return await self.post(url, RequestData(given), read_timeout=read)

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: object = BaseRequest.DEFAULT_NONE,
        write_timeout: object = BaseRequest.DEFAULT_NONE,
        connect_timeout: object = BaseRequest.DEFAULT_NONE,
        pool_timeout: object = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Status and body of the answer. Raises NotSentError, TimedOut or NetworkError."""
        write = self._upload_timeout if request_data and request_data.contains_files else self._write_timeout
        patience = _patience(
            _given(connect_timeout, self._connect_timeout),
            _given(write_timeout, write),
            _given(read_timeout, self._read_timeout),
        )
        try:
            async with self._place(_given(pool_timeout, self._pool_timeout)):
                answer = await self._exchange(url, method, request_data, patience)
        except NetworkError:
            raise
        except Exception as error:
            failure = _failure(error, url)
        else:
            return answer if method == "GET" else self._checked(*answer, url)
        # Raised out here, it has no context: what aiohttp raised may hold the address.
        raise failure

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """The answer as a mapping. Raises NetworkError for anything else, as the pages of a proxy in between are."""
        try:
            answer = json.loads(payload.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or "ok" not in answer:
            # Its beginning, and no more: what comes of people's messages must not come into the log.
            raise NetworkError(f"the answer is not one of the Bot API: {redact(repr(payload[:MOST_QUOTED]))}")
        return answer

    def _checked(self, status: int, payload: bytes, url: str) -> tuple[int, bytes]:
        """The answer, if it is one. The library makes a rejected token or a lost chat of any 401 or 403, whoever says
        it; and of an answer without a result a KeyError."""
        if status < HTTPStatus.MULTIPLE_CHOICES and b'"result"' in payload:
            return status, payload
        try:
            answer = self.parse_json_payload(payload)
        except NetworkError as error:
            fault = error.message
        else:
            if status >= HTTPStatus.MULTIPLE_CHOICES:
                return status, payload
            fault = f"there is no result in the answer, which has: {', '.join(map(str, answer))[:MOST_QUOTED]}"
        raise NetworkError(f"{host_of(url)} answered {endpoint_of(url)} with {status}, but {redact(fault)}")

    @asynccontextmanager
    async def _place(self, patience: float | None) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(patience):
                await self._places.acquire()
        except TimeoutError:
            raise NotSentTimeoutError(f"not sent: every connection was busy for {patience:g} s") from None
        try:
            yield
        finally:
            self._places.release()

    async def _exchange(
        self, url: str, method: str, data: RequestData | None, patience: aiohttp.ClientTimeout
    ) -> tuple[int, bytes]:
        if self._session is None:
            raise NotSentError("not sent: the request layer is not initialised or has been shut down")
        headers, body = _body(data)
        async with self._session.request(
            method,
            url,
            data=body,
            headers=headers,
            timeout=patience,
            proxy=self._proxy_for(url),
            # The Bot API does not redirect; whoever does would be told the token.
            allow_redirects=False,
        ) as response:
            if response.status == HTTPStatus.TOO_MANY_REQUESTS:
                metrics.RATE_LIMITED.labels(PLATFORM).inc()
            return response.status, await _within_bounds(response)

    def _proxy_for(self, url: str) -> str | None:
        """What was given, else what the environment says: aiohttp's own look-up takes a thread and a file (netrc) for
        every request."""
        address = urlsplit(url)
        if address.netloc not in self._proxies:
            proxy = self._proxy or _proxy_of_environment(address.scheme, address.netloc)
            self._proxies[address.netloc] = _spoken(proxy) if proxy else None
        return self._proxies[address.netloc]


async def _within_bounds(response: aiohttp.ClientResponse) -> bytes:
    """The body, unless it is larger than any answer: whoever stands in between must not fill the memory."""
    parts: list[bytes] = []
    size = 0
    async for part in response.content.iter_any():
        size += len(part)
        if size > LARGEST:
            response.close()
            raise NetworkError(f"{response.url.host} answered with more than {LARGEST} bytes, and they were not read")
        parts.append(part)
    return b"".join(parts)


def _proxy_of_environment(scheme: str, netloc: str) -> str | None:
    proxies = getproxies()
    return None if proxy_bypass(netloc) else proxies.get(scheme) or proxies.get("all")


def _spoken(proxy: str) -> str:
    scheme, divider, rest = proxy.rpartition("://")
    if divider and scheme not in ("http", "https"):
        raise NotSentError(f"not sent: the proxy is one for {scheme}; set HTTPS_PROXY to one for http")
    return proxy if divider else f"http://{rest}"


def _given(value: object, default: float | None) -> float | None:
    return default if value is BaseRequest.DEFAULT_NONE else cast("float | None", value)


def _patience(connect: float | None, write: float | None, read: float | None) -> aiohttp.ClientTimeout:
    """aiohttp has no time-out for writing, and silence alone would let an answer come a byte at a time for ever."""
    total = None if connect is None or write is None or read is None else connect + write + read
    return aiohttp.ClientTimeout(total=total, connect=connect, sock_read=read)


def _body(data: RequestData | None) -> tuple[dict[str, str], aiohttp.FormData | bytes | None]:
    """Headers and body of the call, as the library's own layer writes them."""
    if data is None:
        return {}, None
    if not data.contains_files:
        return {"Content-Type": _FORM}, data.url_encoded_parameters().encode()
    form = aiohttp.FormData(default_to_multipart=True)
    for name, value in data.json_parameters.items():
        form.add_field(name, value)
    for name, (filename, content, mimetype) in data.multipart_data.items():
        file = io.BytesIO(content) if isinstance(content, bytes) else content
        form.add_field(name, file, filename=filename, content_type=mimetype)
    return {}, form


def _failure(error: Exception, url: str) -> NetworkError:
    """What `error` means for the request to `url`, in words without its address."""
    match error:
        case aiohttp.ConnectionTimeoutError():
            return NotSentTimeoutError(f"not sent: {host_of(url)} did not take the connection in time")
        case aiohttp.ClientConnectorError() | aiohttp.ClientHttpProxyError() | aiohttp.InvalidURL():
            return NotSentError(f"not sent: no connection to {host_of(url)}: {words_of(error, url)}")
        case TimeoutError():
            return TimedOut(f"{host_of(url)} did not answer {endpoint_of(url)} in time; it may have acted on it")
        case _:
            return NetworkError(f"{endpoint_of(url)} broke off at {host_of(url)}: {words_of(error, url)}")
