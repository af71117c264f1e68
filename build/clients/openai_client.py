"""The official client of OpenAI for Python, as its users write it."""

import os
import time

import openai

NAME = "openai (PyPI)"
BASE, TOKEN = os.environ["FOOTNOTE_BASE"] + "/v1", os.environ["FOOTNOTE_TOKEN"]
EXPECTED = os.environ["FOOTNOTE_EXPECTED"]
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": os.environ["FOOTNOTE_QUESTION"]}]
LOCAL = {"footnote": {"focus": "local"}}


def client(key=TOKEN):
    return openai.OpenAI(base_url=BASE, api_key=key, max_retries=0)


def models():
    ids = [m.id for m in client().models.list()]
    assert "footnote" in ids and "footnote-deep" in ids, ids
    assert client().models.retrieve("footnote").id == "footnote"


def whole():
    answer = client().chat.completions.create(model="footnote", messages=MESSAGES, temperature=0.2, extra_body=LOCAL)
    text = answer.choices[0].message.content
    assert EXPECTED in text and "[1]" in text, text
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens
    assert answer.citations and len(answer.search_results) == len(answer.citations)
    assert all(v["quote"] for v in answer.footnote["verdicts"])


def streamed():
    stream = client().chat.completions.create(
        model="footnote-speed", messages=MESSAGES, stream=True, stream_options={"include_usage": True}, extra_body=LOCAL
    )
    text, finish, usage, citations = "", None, None, []
    for chunk in stream:
        if chunk.choices:
            text += chunk.choices[0].delta.content or ""
            finish = finish or chunk.choices[0].finish_reason
        usage = chunk.usage or usage
        citations = getattr(chunk, "citations", None) or citations
    assert EXPECTED in text, text
    assert finish == "stop" and usage and citations, (finish, usage, citations)


def responses():
    answer = client().responses.create(model="footnote", input=MESSAGES, extra_body=LOCAL)
    assert EXPECTED in answer.output_text and answer.output[0].content[0].annotations, answer
    text, whole = "", ""
    for event in client().responses.create(model="footnote", input=MESSAGES, stream=True, extra_body=LOCAL):
        if event.type == "response.output_text.delta":
            text += event.delta
        if event.type == "response.completed":
            whole = event.response.output_text
    assert text == whole and EXPECTED in text, (text, whole)


def errors():
    try:
        client().chat.completions.create(model="footnote", messages=MESSAGES, tool_choice="required", tools=[{"type": "function", "function": {"name": "f"}}])
        raise AssertionError("a call is promised")
    except openai.BadRequestError as error:
        assert error.param == "tool_choice", error
    try:
        client().chat.completions.create(model="gpt-9", messages=MESSAGES)
        raise AssertionError("an unknown model is answered")
    except openai.NotFoundError as error:
        assert error.code == "model_not_found" and error.param == "model", error
    try:
        client("not-the-token").models.list()
        raise AssertionError("a wrong token is let in")
    except openai.AuthenticationError:
        pass


for name, run in {
    "models.list": models,
    "chat.completions.create": whole,
    "chat.completions.create, streamed": streamed,
    "responses.create": responses,
    "errors": errors,
}.items():
    began = time.monotonic()
    run()
    print(f"ok  {NAME}: {name} ({(time.monotonic() - began) * 1000:.0f} ms)", flush=True)
