"""LlamaIndex, as its users write it."""

import os

from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

NAME = "llama-index (PyPI)"
QUESTION, EXPECTED = os.environ["FOOTNOTE_QUESTION"], os.environ["FOOTNOTE_EXPECTED"]
llm = OpenAILike(
    model="footnote", api_base=os.environ["FOOTNOTE_BASE"] + "/v1", api_key=os.environ["FOOTNOTE_TOKEN"], is_chat_model=True, max_retries=0,
    additional_kwargs={"extra_body": {"footnote": {"focus": "local"}}},
)
messages = [ChatMessage(role="user", content=QUESTION)]
assert EXPECTED in llm.chat(messages).message.content
assert EXPECTED in "".join(part.delta or "" for part in llm.stream_chat(messages))
assert EXPECTED in llm.complete(QUESTION).text
print(f"ok  {NAME}: chat, stream_chat, complete", flush=True)
