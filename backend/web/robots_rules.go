package web

import (
	"errors"
	"net/http"
	"strings"
)

// robotRules are the lines of a robots.txt that are for Footnote (RFC 9309). They are
// matched by hand: a site may send patterns that keep an expression busy for minutes.
type robotRules struct {
	none  bool // nothing may be read
	rules []robotRule
}

type robotRule struct {
	pattern string
	allow   bool
}

// robotRulesOf reads an answer. A client's error means that there are no rules, a
// server's that nothing may be read for now.
func robotRulesOf(status int, body []byte) (*robotRules, error) {
	switch status / 100 {
	case 2:
		return &robotRules{rules: rulesFor(robotsAgent, string(body))}, nil
	case 4:
		return &robotRules{}, nil
	case 5:
		return &robotRules{none: true}, nil
	}
	return nil, errors.New("robots.txt: " + http.StatusText(status))
}

// rulesFor gives the rules of the groups that name agent, else of those for everyone.
func rulesFor(agent, text string) []robotRule {
	var own, all []robotRule
	var named, forOwn, forAll, begun bool // begun: the group has rules, and the next agent is of another
	for line := range strings.FieldsFuncSeq(strings.TrimPrefix(text, "\xef\xbb\xbf"), func(r rune) bool { return r == '\n' || r == '\r' }) {
		key, value := field(line)
		switch key {
		case "user-agent":
			if begun {
				forOwn, forAll, begun = false, false, false
			}
			forAll = forAll || value == "*"
			if strings.EqualFold(product(value), agent) {
				forOwn, named = true, true
			}
		case "allow", "disallow":
			begun = true
			rule := robotRule{value, key == "allow"}
			if forOwn && value != "" {
				own = append(own, rule)
			}
			if forAll && value != "" {
				all = append(all, rule)
			}
		}
	}
	if named {
		return own
	}
	return all
}

// field is a line's name and value, without its comment.
func field(line string) (key, value string) {
	line, _, _ = strings.Cut(line, "#")
	key, value, _ = strings.Cut(line, ":")
	return strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
}

// product is the name of a program without its version.
func product(agent string) string {
	end := strings.IndexFunc(agent, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_'
	})
	if end < 0 {
		return agent
	}
	return agent[:end]
}

// allows reports whether a path with its query may be read: the longest rule counts,
// and of two that are as long the one that allows.
func (r *robotRules) allows(path string) bool {
	if r.none {
		return false
	}
	best := robotRule{allow: true}
	for _, rule := range r.rules {
		longer := len(rule.pattern) - len(best.pattern)
		if (longer > 0 || longer == 0 && rule.allow) && covers(rule.pattern, path) {
			best = rule
		}
	}
	return best.allow
}

// covers reports whether a pattern is the beginning of a path: * stands for anything, $
// at the end for the path's end. It looks at each byte of the path once.
func covers(pattern, path string) bool {
	pattern, whole := strings.CutSuffix(pattern, "$")
	piece, rest, more := strings.Cut(pattern, "*")
	path, found := strings.CutPrefix(path, piece)
	for found && more {
		piece, rest, more = strings.Cut(rest, "*")
		if whole && !more {
			return strings.HasSuffix(path, piece)
		}
		_, path, found = strings.Cut(path, piece)
	}
	return found && (!whole || path == "")
}
