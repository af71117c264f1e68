package llm_test

import (
	"testing"

	"footnote/backend/llm"
)

func TestWindowsOfWellKnownModels(t *testing.T) {
	for name, want := range map[string]int{
		"gpt-4": 8192, "gpt-4-0613": 8192, "gpt-4o-mini-2024-07-18": 128_000, "gpt-4.1-nano": 1_047_576, "openai/gpt-5-mini": 400_000, "o1-mini": 128_000, "o1": 200_000, "o3-mini": 200_000,
		"deepseek-chat": 131_072, "claude-sonnet-4-5": 200_000, "Mistral-Large-Latest": 131_072, "gemini-2.5-flash": 1_048_576, "kimi-k2-thinking": 262_144, "kimi-k2-0905-preview": 131_072,
		"gpt-45": 0, "o100": 0, "olmo-2": 0, "my-model": 0, "": 0, "glm-4.57": 0,
	} {
		if got := llm.KnownWindow(name); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}

func TestOnlyModelsThatAnswerAreListedAsThose(t *testing.T) {
	for _, name := range []string{"gpt-4o", "gpt-4.1-mini", "o3", "deepseek-reasoner", "llama-3.3-70b-versatile", "gemini-2.5-pro", "qwen3:8b", "mistral-small-latest", "kimi-k2", "claude-opus-4-1", "voxtral-small", "influx-7b", "fluxion"} {
		if a := (llm.Ability{Name: name}); !a.Chats() {
			t.Errorf("%s is left out", name)
		}
	}
	for _, name := range []string{"gpt-4o-audio-preview", "gpt-image-1", "tts-1-hd", "gpt-4o-mini-tts", "whisper-large-v3", "omni-moderation-latest", "sora-2", "gemini-2.5-flash-image", "imagen-4.0", "veo-3.0-generate", "gpt-4o-transcribe", "mistral-ocr-latest", "gpt-3.5-turbo-instruct", "black-forest-labs/flux-1", "stable-diffusion-xl", "playai-tts", "llama-guard-4-12b", "bge-reranker-v2", "gpt-realtime"} {
		if a := (llm.Ability{Name: name}); a.Chats() {
			t.Errorf("%s is listed", name)
		}
	}
}
