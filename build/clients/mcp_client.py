"""The official client of the Model Context Protocol for Python."""

import asyncio
import os
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

NAME = "mcp (PyPI)"
QUESTION, EXPECTED = os.environ["FOOTNOTE_QUESTION"], os.environ["FOOTNOTE_EXPECTED"]
SERVER = StdioServerParameters(command=os.environ["FOOTNOTE_BINARY"], args=["mcp", "--data", os.environ["FOOTNOTE_DATA"]])


class Trial:
    """Prints a line for what was tried inside it."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.began = time.monotonic()

    def __exit__(self, kind, value, trace):
        if kind is None:
            print(f"ok  {NAME}: {self.name} ({(time.monotonic() - self.began) * 1000:.0f} ms)", flush=True)


def text(result):
    return "\n".join(part.text for part in result.content)


async def talk(session):
    with Trial("initialize, list_tools"):
        await session.initialize()
        names = sorted(tool.name for tool in (await session.list_tools()).tools)
        assert names == ["ask", "deep_research", "find_files", "grep", "list_threads", "outline", "read_source", "search_library", "search_web", "table"], names
    with Trial("ask"):
        result = await session.call_tool("ask", {"question": QUESTION, "focus": "local"})
        answer = result.structured_content
        assert EXPECTED in text(result), text(result)
        assert answer["citations"] and all(c["quote"]["text"] for c in answer["citations"])
    with Trial("search_library"):
        result = await session.call_tool("search_library", {"query": "lighthouse tower", "limit": 3})
        assert result.structured_content["items"]
    with Trial("search_web"):
        result = await session.call_tool("search_web", {"query": "lighthouse"})
        assert result.is_error and text(result)
    with Trial("read_source"):
        result = await session.call_tool("read_source", {"id": answer["sources"][0]["id"]})
        assert result.structured_content["total"] > 0
    with Trial("deep_research with progress"):
        steps = []

        async def heard(progress, total, message):
            steps.append(progress)

        result = await session.call_tool("deep_research", {"question": QUESTION}, progress_callback=heard)
        assert not result.is_error and text(result) and steps, (text(result), steps)
    with Trial("list_threads and resources"):
        result = await session.call_tool("list_threads", {})
        assert any(t["id"] == answer["thread"] for t in result.structured_content["items"])
        thread = await session.read_resource(f"footnote://thread/{answer['thread']}")
        assert EXPECTED in thread.contents[0].text


async def main():
    async with stdio_client(SERVER) as (read, write):
        async with ClientSession(read, write) as session:
            await talk(session)


asyncio.run(main())
