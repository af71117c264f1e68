package rank

import (
	"strings"

	"footnote/backend/lang"
)

// Preset is a set of weights with the number of passages given to the model.
type Preset struct {
	Weights
	K int
}

// PresetFor chooses by rules: the focus first, then the kind of question, else
// "general".
func PresetFor(question, focus string) string {
	switch focus {
	case "academic", "video", "community", "writing":
		return focus
	}
	switch {
	case lang.HasCue(question, lang.News):
		return "news"
	case lang.HasCue(question, lang.Technical) || strings.Contains(question, "```") || strings.Contains(question, "()"):
		return "technical"
	case lang.HasCue(question, lang.Opinion):
		return "opinion"
	}
	return "general"
}
