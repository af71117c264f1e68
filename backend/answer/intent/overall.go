package intent

import (
	"strings"

	"footnote/backend/lang"
)

// Overall is a question for what all of the reader's files are about.
type Overall struct {
	Filter string // of one folder that the question names, as people search
	Code   lang.Code
}

// OverallOf reads a question for one about all files, in any of the languages.
func OverallOf(question string) (Overall, bool) {
	for _, code := range spoken(question) {
		folder, ok := lang.AsksOfAll(code, question)
		if !ok {
			continue
		}
		o := Overall{Code: code}
		if folder != "" {
			o.Filter = `folder:"` + strings.ReplaceAll(folder, `"`, "") + `"`
		}
		return o, true
	}
	return Overall{}, false
}
