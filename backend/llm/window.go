package llm

import "strings"

// DefaultWindow is assumed, in tokens, when a model's window is unknown.
const DefaultWindow = 8192

// windows are those of well-known hosted models, in tokens, by the beginning of
// their names; the longest that fits holds. What a server tells goes before.
var windows = map[string]int{
	"gpt-3.5-turbo": 16_385, "gpt-4": 8192, "gpt-4-32k": 32_768, "gpt-4-turbo": 128_000, "gpt-4-1106": 128_000, "gpt-4-0125": 128_000,
	"gpt-4o": 128_000, "chatgpt-4o": 128_000, "gpt-4.1": 1_047_576, "gpt-4.5": 128_000, "gpt-5": 400_000, "gpt-5-chat": 128_000, "gpt-oss": 131_072,
	"o1": 200_000, "o1-mini": 128_000, "o1-preview": 128_000, "o3": 200_000, "o4": 200_000,
	"claude": 200_000, "gemini-1.5": 1_048_576, "gemini-2": 1_048_576, "gemini-3": 1_048_576,
	"deepseek-chat": 131_072, "deepseek-reasoner": 131_072, "deepseek-v3": 131_072, "deepseek-r1": 131_072,
	"grok-3": 131_072, "grok-4": 256_000, "grok-4-fast": 2_000_000, "grok-code": 256_000,
	"mistral-large": 131_072, "mistral-medium": 131_072, "mistral-small": 131_072, "ministral": 131_072, "magistral": 40_960, "codestral": 32_768,
	"command-r": 128_000, "command-a": 256_000, "kimi-k2": 131_072, "kimi-k2-thinking": 262_144, "moonshot-v1-8k": 8192, "moonshot-v1-32k": 32_768, "moonshot-v1-128k": 131_072,
	"glm-4.5": 131_072, "glm-4.6": 200_000, "qwen-plus": 131_072, "qwen-max": 32_768, "qwen3-max": 262_144, "sonar": 128_000, "minimax-m": 196_608, "jamba": 256_000,
	"llama-3.1": 131_072, "llama-3.3": 131_072, "llama-4": 131_072,
}

// KnownWindow is the window of a well-known hosted model, in tokens, by its name
// with or without a maker before a slash; 0 when it is not known.
func KnownWindow(model string) int {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	longest, window := 0, 0
	for begin, tokens := range windows {
		if len(begin) > longest && beginsWith(name, begin) {
			longest, window = len(begin), tokens
		}
	}
	return window
}

// beginsWith reports whether a model's name is begin, or goes on behind it as a
// version or a variant does: "o1-mini" is an o1, "o100" is none.
func beginsWith(name, begin string) bool {
	rest, ok := strings.CutPrefix(name, begin)
	return ok && (rest == "" || strings.ContainsRune("-.:@_", rune(rest[0])) || !isDigit(begin[len(begin)-1]) && isDigit(rest[0]))
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// ThoughtTokens are allowed beyond a call's limit to models that count their
// thoughts among the tokens of the answer.
const ThoughtTokens = 2048
