package intent

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"footnote/backend/lang"
)

//go:embed replies.tsv
var replyTable string

// Reply is what Footnote says to a message that needs no search, in a language;
// in English where the language has none. It is empty for a search.
func Reply(code lang.Code, is Intent) string {
	if text, ok := replies()[code][is]; ok {
		return text
	}
	return replies()[lang.English][is]
}

// IsReply reports whether a text is what Footnote says to small talk, in any language.
func IsReply(text string) bool {
	for _, said := range replies() {
		for _, is := range classes {
			if said[is] != "" && said[is] == text {
				return true
			}
		}
	}
	return false
}

// Label is a word over an answer about files, in a language: "files", "failed", or
// that of an Order.
func Label(code lang.Code, name string) string { return Reply(code, Intent(name)) }

var replies = sync.OnceValue(func() map[lang.Code]map[Intent]string {
	all := map[lang.Code]map[Intent]string{}
	for line := range strings.Lines(replyTable) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) != 3 {
			panic(fmt.Errorf("no line of replies: %q", line)) // part of the program, found by its tests
		}
		code := lang.Code(fields[0])
		if all[code] == nil {
			all[code] = map[Intent]string{}
		}
		all[code][Intent(fields[1])] = strings.ReplaceAll(fields[2], `\n`, "\n")
	}
	return all
})
