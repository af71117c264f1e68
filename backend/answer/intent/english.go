package intent

import "footnote/backend/pattern"

// Words of English questions, as rules read them.

const askers = `(?:who|whom|whose|what|when|where|why|how|which)\b`

var (
	// Filler opens a question and says nothing of what is asked.
	Filler = pattern.New(`(?i)^(please|can you|could you|would you|will you|i want to know|i would like to know|i'd like to know|do you know|tell me|give me|show me|find|find out|search for|look up|explain|describe|let me know|help me|so|and|well|ok|okay|hey|hi|hello|hmm)[, ]+`)
	// Opening is the word that asks.
	Opening = pattern.New(`(?i)^(who|whom|whose|what|what's|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|has|have|had|will|would)\b[ ]*`)
	// Pronoun stands for what was named before.
	Pronoun = pattern.New(`(?i)\b(he|she|it|they|him|them|his|her|hers|its|their|theirs|this|that|these|those)\b('s)?`)
	// Joint joins two things that one question asks.
	Joint = pattern.New(`(?i)(?:[,;]\s*|\s+)and\s+(?:also\s+)?((?:(?:by|for|to|with|from|at|in|on|since) )?` + askers + `)`)
	// OnlyAsks is a part without a matter of its own: "and by whom?".
	OnlyAsks = pattern.New(`(?i)^(?:\p{L}+ )?` + askers + `[\s?.!]*$`)
	// FirstAsks is how a part begins that asks.
	FirstAsks = pattern.New(`(?i)^\s*(?:\p{L}+ )?` + askers + `\s+`)
)

// NotNames begin sentences with a capital letter and name nothing.
var NotNames = map[string]bool{
	"who": true, "what": true, "when": true, "where": true, "why": true, "how": true, "which": true, "whose": true, "is": true, "are": true,
	"was": true, "were": true, "do": true, "does": true, "did": true, "can": true, "could": true, "the": true, "a": true, "an": true, "i": true,
	"it": true, "he": true, "she": true, "they": true, "this": true, "that": true, "in": true, "on": true, "at": true, "and": true, "but": true,
	"please": true, "tell": true, "yes": true, "no": true, "his": true, "her": true, "its": true, "their": true, "there": true, "these": true,
	"those": true, "according": true, "should": true, "would": true, "will": true, "has": true, "have": true, "had": true, "if": true, "for": true,
}
