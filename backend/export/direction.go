package export

import "golang.org/x/text/unicode/bidi"

// way is how a text runs, by its first letter; known is false where it has none.
type way struct{ fromRight, known bool }

func wayOf(text string) way {
	for _, r := range text {
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.L:
			return way{known: true}
		case bidi.R, bidi.AL:
			return way{fromRight: true, known: true}
		}
	}
	return way{}
}
