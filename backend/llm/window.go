package llm

// DefaultWindow is assumed, in tokens, when a model's window is unknown.
const DefaultWindow = 8192

// ThoughtTokens are allowed beyond a call's limit to models that count their
// thoughts among the tokens of the answer.
const ThoughtTokens = 2048
