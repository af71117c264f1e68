package settings

import (
	"fmt"
	"math"
	"net"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/fault"
)

// refusal says which value was refused, why, what is allowed, and where it
// stood.
type refusal struct {
	key, reason, allowed, place string
}

func (r *refusal) fault() error {
	message := fmt.Sprintf("The setting %s %s.", r.key, r.reason)
	if r.place != "" {
		message = fmt.Sprintf("%s: the setting %s %s.", r.place, r.key, r.reason)
	}
	hint := "Correct or remove it; the values in force have not changed."
	if allowed := describe(r.allowed); allowed != "" {
		hint = fmt.Sprintf("Allowed: %s. The values in force have not changed.", allowed)
	}
	return fault.New(fault.InvalidSetting, message, hint).
		With("key", r.key).With("reason", r.reason).With("allowed", describe(r.allowed))
}

// describe is an allow tag in words.
func describe(allow string) string {
	if allow == "" {
		return ""
	}
	var words []string
	for part := range strings.SplitSeq(allow, "|") {
		lo, hi, isRange := strings.Cut(part, "..")
		switch {
		case part == "":
			words = append(words, "empty")
		case isRange:
			words = append(words, lo+" to "+hi)
		case part == "url":
			words = append(words, "an http or https address")
		case part == "keys":
			words = append(words, "keys such as ctrl+alt+space")
		case part == "origin":
			words = append(words, "scheme://host:port")
		default:
			words = append(words, part)
		}
	}
	return strings.Join(words, ", ")
}

// check holds a leaf against its allow tag; an empty tag allows everything.
func check(allow string, v reflect.Value) *refusal {
	if allow == "" {
		return nil
	}
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			if r := check(allow, v.Index(i)); r != nil {
				return r
			}
		}
		return nil
	}
	for part := range strings.SplitSeq(allow, "|") {
		if fits(part, v) {
			return nil
		}
	}
	return &refusal{reason: fmt.Sprintf("is %s, which is not allowed", shown(v)), allowed: allow}
}

func shown(v reflect.Value) string {
	if v.Kind() != reflect.String {
		return fmt.Sprint(v.Interface())
	}
	text := []rune(v.String())
	if len(text) > 80 {
		text = append(text[:80], '…')
	}
	return strconv.Quote(string(text))
}

func fits(part string, v reflect.Value) bool {
	if n, ok := number(v); ok {
		lo, hi, isRange := strings.Cut(part, "..")
		if !isRange {
			hi = lo
		}
		from, errLo := bound(lo)
		to, errHi := bound(hi)
		return errLo == nil && errHi == nil && n >= from && n <= to // NaN fits nothing
	}
	text := v.String()
	switch part {
	case "url":
		return isAddress(text)
	case "origin":
		return isOrigin(text)
	case "host:port":
		return isHostPort(text)
	case "keys":
		return isKeys.MatchString(text)
	case "provider/model":
		provider, model, ok := strings.Cut(text, "/")
		return ok && provider != "" && model != ""
	}
	return text == part
}

// isKeys tells a combination that leaves typing alone: a letter, a digit or the
// space only with another key than Shift.
var isKeys = regexp.MustCompile(`^((ctrl|alt|shift|super)\+)*(ctrl|alt|super)\+((ctrl|alt|shift|super)\+)*([a-z0-9]|space)$|^((ctrl|alt|shift|super)\+)*f([1-9]|1[0-2])$`)

func isAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil && u.Fragment == ""
}

func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && isAddress(text) && u.Port() != "" && u.Path == "" && u.RawQuery == ""
}

func isHostPort(text string) bool {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// checkWhole holds rules that tie several values together.
func checkWhole(s Settings) *refusal {
	names := make([]string, 0, len(s.Rank.Presets))
	for name := range s.Rank.Presets {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		p := s.Rank.Presets[name]
		sum := p.Semantic + p.Keyword + p.Freshness + p.Authority
		if math.Abs(sum-1) > 0.001 {
			return &refusal{key: "rank.presets." + name, reason: fmt.Sprintf("has weights that sum to %.3f", sum), allowed: "semantic + keyword + freshness + authority = 1 ± 0.001"}
		}
	}
	for _, pair := range []struct {
		low, high string
		fine      bool
	}{
		{"deep.dimensions_min", "deep.dimensions_max", s.Deep.DimensionsMin <= s.Deep.DimensionsMax},
		{"deep.words_min", "deep.words_max", s.Deep.WordsMin <= s.Deep.WordsMax},
		{"library.chunk_overlap", "library.chunk_chars", s.Library.ChunkOverlap < s.Library.ChunkChars},
		{"web.close_ms", "web.timeout_ms", s.Web.CloseMs <= s.Web.TimeoutMs},
	} {
		if !pair.fine {
			return &refusal{key: pair.low, reason: "is too large beside " + pair.high, allowed: "less than " + pair.high}
		}
	}
	return nil
}
