"""LangChain, as its users write it."""

import os

from langchain_openai import ChatOpenAI
from pydantic import BaseModel

NAME = "langchain-openai (PyPI)"
QUESTION, EXPECTED = os.environ["FOOTNOTE_QUESTION"], os.environ["FOOTNOTE_EXPECTED"]
chat = ChatOpenAI(
    model="footnote", base_url=os.environ["FOOTNOTE_BASE"] + "/v1", api_key=os.environ["FOOTNOTE_TOKEN"], max_retries=0, extra_body={"footnote": {"focus": "local"}}
)


class Height(BaseModel):
    """The height of something."""

    metres: int


assert EXPECTED in chat.invoke(QUESTION).content
streamed = "".join(chunk.content for chunk in chat.stream(QUESTION))
assert EXPECTED in streamed, streamed
print(f"ok  {NAME}: invoke, stream", flush=True)
for method in ("json_schema", "function_calling"):
    bound = chat.with_structured_output(Height, method=method)
    if os.environ.get("FOOTNOTE_MODEL"):
        assert str(bound.invoke(QUESTION).metres) == EXPECTED
        print(f"ok  {NAME}: {method}", flush=True)
        continue
    try:
        bound.invoke(QUESTION)
        raise SystemExit("a form is filled without a model")
    except Exception as error:
        assert "needs a model" in str(error), error
    print(f"ok  {NAME}: {method} is refused without a model", flush=True)
