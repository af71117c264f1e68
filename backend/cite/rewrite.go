package cite

import "strings"

// Rewrite writes each marker of a canonical text in another way; i counts them
// from 0. Where one begins that another has just ended, a space comes between.
// Code, links and years stay as they are. sources is as in Markers.
func Rewrite(canonical string, sources int, write func(i int, m MarkerAt) string) string {
	var b strings.Builder
	at := 0
	for i, m := range Markers(canonical, sources) {
		if m.Span.Start == at && at > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(canonical[at:m.Span.Start])
		b.WriteString(write(i, m))
		at = m.Span.End
	}
	return b.String() + canonical[at:]
}
