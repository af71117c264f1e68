package llm

// Tier says how much a prompt may hold, by the model's window.
type Tier int

// Tiers of prompts: 2k, 4k, and 8k tokens or more.
const (
	Tiny Tier = iota
	Small
	Full
)

// DefaultWindow is assumed, in tokens, when a model's window is unknown.
const DefaultWindow = 8192

// ThoughtTokens are allowed beyond a call's limit to models that count their
// thoughts among the tokens of the answer.
const ThoughtTokens = 2048

// TierOf is the tier of prompts that fits a window in tokens; 0 is unknown.
func TierOf(window int) Tier {
	switch window = known(window); {
	case window >= 8000:
		return Full
	case window >= 4000:
		return Small
	}
	return Tiny
}

// Reserve is what of a window is kept for the answer: a quarter, at most limit
// tokens (2048 when limit is 0).
func Reserve(window, limit int) int {
	if limit <= 0 {
		limit = 2048
	}
	return min(known(window)/4, limit)
}

// Room is how many tokens a prompt may have in a window, beside the reserve for
// the answer and what is already used. Never below 0.
func Room(window, limit, used int) int {
	return max(0, known(window)-Reserve(window, limit)-used)
}

func known(window int) int {
	if window <= 0 {
		return DefaultWindow
	}
	return window
}
