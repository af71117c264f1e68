"""The command line program llm, by its own file of further models."""

import os
import pathlib
import subprocess
import sys
import tempfile

NAME = "llm (PyPI)"
with tempfile.TemporaryDirectory() as home:
    models = f"- model_id: footnote\n  model_name: footnote\n  api_base: {os.environ['FOOTNOTE_BASE']}/v1\n  api_key_name: footnote\n"
    pathlib.Path(home, "extra-openai-models.yaml").write_text(models)
    pathlib.Path(home, "keys.json").write_text('{"footnote": "%s"}' % os.environ["FOOTNOTE_TOKEN"])
    for more in ([], ["--no-stream"]):
        out = subprocess.run(
            [sys.executable, "-m", "llm", "-m", "footnote", *more, os.environ["FOOTNOTE_QUESTION"]],
            env={**os.environ, "LLM_USER_PATH": home}, capture_output=True, text=True, timeout=120,
        )
        assert out.returncode == 0 and os.environ["FOOTNOTE_EXPECTED"] in out.stdout, out
print(f"ok  {NAME}: prompt, with and without a stream", flush=True)
