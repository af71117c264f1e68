"""The official client of the Model Context Protocol for Python, over HTTP."""

import asyncio
import os
import urllib.error
import urllib.request

import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

NAME = "mcp (PyPI), over HTTP"
URL, TOKEN = os.environ["FOOTNOTE_BASE"] + "/mcp", os.environ["FOOTNOTE_TOKEN"]
QUESTION, EXPECTED = os.environ["FOOTNOTE_QUESTION"], os.environ["FOOTNOTE_EXPECTED"]


def refused():
    request = urllib.request.Request(URL, data=b"{}", headers={"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        return error.code
    return 200


async def main():
    assert refused() == 401, "a client without the token is let in"
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=120) as http:
        async with streamable_http_client(URL, http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                names = sorted(tool.name for tool in (await session.list_tools()).tools)
                assert names == ["ask", "deep_research", "find_files", "grep", "list_threads", "outline", "read_source", "search_library", "search_web", "table"], names
                answer = await session.call_tool("ask", {"question": QUESTION, "focus": "local"})
                assert EXPECTED in answer.content[0].text and answer.structured_content["citations"], answer
    print(f"ok  {NAME}: token, tools, ask", flush=True)


asyncio.run(main())
