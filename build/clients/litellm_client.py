"""litellm, as its users write it."""

import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm

NAME = "litellm (PyPI)"
QUESTION, EXPECTED = os.environ["FOOTNOTE_QUESTION"], os.environ["FOOTNOTE_EXPECTED"]
SAME = {
    "model": "openai/footnote", "api_base": os.environ["FOOTNOTE_BASE"] + "/v1", "api_key": os.environ["FOOTNOTE_TOKEN"], "num_retries": 0,
    "messages": [{"role": "user", "content": QUESTION}], "extra_body": {"footnote": {"focus": "local"}},
}
assert EXPECTED in litellm.completion(**SAME).choices[0].message.content
text = "".join(chunk.choices[0].delta.content or "" for chunk in litellm.completion(stream=True, **SAME))
assert EXPECTED in text, text
try:
    litellm.completion(**{**SAME, "model": "openai/gpt-9"})
    raise SystemExit("an unknown model is answered")
except litellm.NotFoundError:
    pass
print(f"ok  {NAME}: completion, stream, unknown model", flush=True)
