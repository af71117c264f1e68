package mail

import "strings"

// plainText is the text of a plain part without the marks of what is quoted in it, and with lines
// that were broken for transport in one (RFC 3676): quoted lines are text like others, below the
// line that says whose they are. A blank line stands where the depth of quotation changes.
func plainText(text string, params map[string]string) string {
	flowed, deletes := strings.EqualFold(params["format"], "flowed"), strings.EqualFold(params["delsp"], "yes")
	var b strings.Builder
	before, open := 0, false // depth of the line before; whether that goes on
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		depth, rest := quoted(line)
		if flowed || depth > 0 {
			rest = strings.TrimPrefix(rest, " ")
		}
		switch {
		case b.Len() == 0:
		case open && depth == before:
		case depth != before:
			b.WriteString("\n\n")
		default:
			b.WriteByte('\n')
		}
		before, open = depth, flowed && strings.HasSuffix(rest, " ") && rest != "-- "
		if open && deletes {
			rest = strings.TrimSuffix(rest, " ")
		}
		b.WriteString(rest)
	}
	return b.String()
}

// quoted is how deeply a line is quoted, and what it says.
func quoted(line string) (depth int, rest string) {
	rest = line
	for {
		next, ok := strings.CutPrefix(rest, ">")
		if !ok && depth > 0 {
			next, ok = strings.CutPrefix(rest, " >")
		}
		if !ok {
			return depth, rest
		}
		depth, rest = depth+1, next
	}
}
