package rank

import "strings"

// Preset is a set of weights with the number of passages given to the model.
type Preset struct {
	Weights
	K int
}

// Cues of question types: words, or phrases of several words.
var (
	newsCues = []string{"news", "latest", "today", "yesterday", "tonight", "breaking", "headline", "headlines", "this week",
		"this month", "this morning", "last night", "right now", "currently", "just announced", "recent", "recently",
		"election results", "stock price", "weather"}
	technicalCues = []string{"error", "exception", "stack trace", "traceback", "segfault", "compile", "compiler", "install",
		"configure", "config", "api", "sdk", "cli", "regex", "function", "method", "class", "library", "framework", "library's",
		"code", "coding", "algorithm", "database", "sql", "json", "yaml", "http", "linux", "docker", "kubernetes", "git",
		"python", "javascript", "typescript", "golang", "rust", "java", "c++", "css", "html", "bash", "shell", "debug",
		"implement", "syntax", "version of", "deprecated", "npm", "pip"}
	opinionCues = []string{"best", "better", "worst", "opinion", "opinions", "review", "reviews", "recommend", "recommendation",
		"recommendations", "should i", "should we", "worth", "worth it", "vs", "versus", "pros and cons", "favorite",
		"favourite", "think of", "think about", "alternatives to", "overrated", "underrated"}
)

// PresetFor chooses by rules: the focus first, then the kind of question, else
// "general".
func PresetFor(question, focus string) string {
	switch focus {
	case "academic", "video", "community", "writing":
		return focus
	}
	asked := " " + strings.Join(strings.FieldsFunc(strings.ToLower(question), isGap), " ") + " "
	switch {
	case hasCue(asked, newsCues):
		return "news"
	case hasCue(asked, technicalCues) || strings.Contains(question, "```") || strings.Contains(question, "()"):
		return "technical"
	case hasCue(asked, opinionCues):
		return "opinion"
	}
	return "general"
}

func hasCue(asked string, cues []string) bool {
	for _, c := range cues {
		if strings.Contains(asked, " "+c+" ") {
			return true
		}
	}
	return false
}

// isGap separates the words of a question; + and # belong to names of languages.
func isGap(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '+' || r == '#' || r == '\'' || r > 0x7f)
}
