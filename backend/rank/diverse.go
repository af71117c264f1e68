package rank

import (
	"cmp"
	"hash/maphash"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
)

// Defaults of the rules below.
const (
	DefaultJaccard = 0.92 // more alike than this is a duplicate
	DefaultFloor   = 0.15 // relevance that earns a place by balance
	MaxPassages    = 8    // given to a model
)

var codeHosts = []string{"github.com", "gitlab.com", "codeberg.org", "bitbucket.org"}

var tracking = map[string]bool{
	"utm_source": true, "utm_medium": true, "utm_campaign": true, "ref": true, "fbclid": true,
}

// NormalizeURL gives addresses of the same page the same form: lower-case scheme
// and host, no fragment, no trailing slashes, no tracking parameters. On code
// hosts "ref" names a branch and stays. What cannot be parsed is returned as it is.
func NormalizeURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return raw
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if port := u.Port(); u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	u.Fragment, u.RawFragment = "", ""
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	u.RawQuery = keptQuery(u.RawQuery, isHostOf(u.Hostname(), codeHosts))
	u.ForceQuery = false
	return u.String()
}

// keptQuery drops tracking parameters and leaves the others in their order and
// spelling.
func keptQuery(query string, keepRef bool) string {
	if query == "" {
		return ""
	}
	parts := slices.DeleteFunc(strings.Split(query, "&"), func(p string) bool {
		name, _, _ := strings.Cut(p, "=")
		return p == "" || tracking[name] && !(keepRef && name == "ref")
	})
	return strings.Join(parts, "&")
}

func isHostOf(host string, domains []string) bool {
	return slices.ContainsFunc(domains, func(d string) bool { return host == d || strings.HasSuffix(host, "."+d) })
}

// DedupLeads keeps one lead a page: the one with the higher engine score, at the
// place of the first.
func DedupLeads(leads []evidence.Lead) []evidence.Lead {
	at := make(map[string]int, len(leads))
	out := make([]evidence.Lead, 0, len(leads))
	for _, l := range leads {
		key := NormalizeURL(l.Source.Address)
		i, seen := at[key]
		switch {
		case !seen:
			at[key] = len(out)
			out = append(out, l)
		case l.Score > out[i].Score:
			out[i] = l
		}
	}
	return out
}

// FuseLeads joins the lists that several searches gave, each best first, into
// one, best first by reciprocal ranks: what several found stands above what one
// did, and lists of equal worth take turns. A page is kept once, as DedupLeads
// keeps it.
func FuseLeads(lists ...[]evidence.Lead) []evidence.Lead {
	worth, longest := map[string]float64{}, 0
	pages := make([][]evidence.Lead, len(lists))
	for i, list := range lists {
		pages[i] = DedupLeads(list)
		longest = max(longest, len(pages[i]))
		for at, l := range pages[i] {
			worth[NormalizeURL(l.Source.Address)] += 1 / float64(rrfK+at+1)
		}
	}
	var all []evidence.Lead
	for at := range longest {
		for _, list := range pages {
			if at < len(list) {
				all = append(all, list[at])
			}
		}
	}
	all = DedupLeads(all)
	slices.SortStableFunc(all, func(a, b evidence.Lead) int {
		return cmp.Compare(worth[NormalizeURL(b.Source.Address)], worth[NormalizeURL(a.Source.Address)])
	})
	return all
}

// DedupAbove drops candidates that are twins of an earlier one: their text has a
// Jaccard likeness above threshold to its, and the same numbers, negations and
// names. The one that stays is told the addresses of those that go, as AlsoIn. Order
// is kept; empty texts are never alike.
func DedupAbove(cands []Candidate, threshold float64) []Candidate {
	out := make([]Candidate, 0, len(cands))
	var kept []tokens
	seed := maphash.MakeSeed()
	for _, c := range cands {
		t := tokensOf(seed, c)
		if twin := slices.IndexFunc(kept, func(k tokens) bool { return k.twin(t, threshold) }); twin >= 0 {
			out[twin].alsoAt(c)
			continue
		}
		kept = append(kept, t)
		out = append(out, c)
	}
	return out
}

// alsoAt notes where a twin stands, unless that is the same page or file.
func (c *Candidate) alsoAt(twin Candidate) {
	for _, address := range append([]string{twin.Source.Address}, twin.Score.AlsoIn...) {
		if address != "" && NormalizeURL(address) != NormalizeURL(c.Source.Address) && !slices.Contains(c.Score.AlsoIn, address) {
			c.Score.AlsoIn = append(slices.Clip(c.Score.AlsoIn), address)
		}
	}
}

// tokens are a text and its set of tokens.
type tokens struct {
	text string
	set  []uint64
}

func tokensOf(seed maphash.Seed, c Candidate) tokens {
	return tokens{c.Passage.Text, tokenSet(seed, c.Passage.Text)}
}

func (t tokens) twin(o tokens, threshold float64) bool {
	return jaccard(t.set, o.set) > threshold && statedAlike(t.text, o.text)
}

// tokenSet is the sorted set of hashed tokens of more than two characters, and
// of pairs of characters in scripts that do not mark words.
func tokenSet(seed maphash.Seed, text string) []uint64 {
	var set []uint64
	Words(text, func(w Word) {
		r, _ := utf8.DecodeRuneInString(w.Text)
		if utf8.RuneCountInString(w.Text) > 2 || r >= 0x0E00 && unicode.In(r, grammed...) {
			set = append(set, maphash.String(seed, w.Text))
		}
	})
	slices.Sort(set)
	return slices.Compact(set)
}

// jaccard is the share of common members of two sorted sets; 0 when both are empty.
func jaccard(a, b []uint64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	common, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			common, i, j = common+1, i+1, j+1
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

// CapDomains keeps the first limit pages of each web domain, in order; limit 0
// keeps all. Passages of one page count once; files have no domain.
func CapDomains(cands []Candidate, limit int) []Candidate {
	if limit <= 0 {
		return cands
	}
	pages := map[string]map[string]bool{}
	out := make([]Candidate, 0, len(cands))
	for _, c := range cands {
		domain := domainOf(c)
		if domain == "" {
			out = append(out, c)
			continue
		}
		seen, page := pages[domain], NormalizeURL(c.Source.Address)
		if seen == nil {
			seen = map[string]bool{}
			pages[domain] = seen
		}
		if !seen[page] && len(seen) >= limit {
			continue
		}
		seen[page] = true
		out = append(out, c)
	}
	return out
}

func domainOf(c Candidate) string {
	if c.Local() {
		return ""
	}
	u, err := url.Parse(c.Source.Address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// Balance takes k of the candidates, best first, such that files and web get at
// least half of the places each, as far as each side has candidates whose
// relevance reaches floor. The rest goes by composite; order is kept.
func Balance(cands []Candidate, k int, floor float64) []Candidate {
	k = min(k, MaxPassages)
	if len(cands) <= k {
		return cands
	}
	take := make([]bool, len(cands))
	n := 0
	for _, local := range []bool{true, false} {
		left := k / 2
		for i, c := range cands {
			if left > 0 && c.Local() == local && c.Scores.Relevance >= floor {
				take[i] = true
				left--
				n++
			}
		}
	}
	for i := range cands {
		if n < k && !take[i] {
			take[i] = true
			n++
		}
	}
	out := make([]Candidate, 0, k)
	for i, c := range cands {
		if take[i] {
			out = append(out, c)
		}
	}
	return out
}

// Fit takes candidates, best first, while their cost in tokens fits the budget;
// one that does not fit is passed over for a smaller one behind it.
func Fit(cands []Candidate, budget int, cost func(Candidate) int) (kept []Candidate, leftOut int) {
	for _, c := range cands {
		n := cost(c)
		if n > budget {
			leftOut++
			continue
		}
		budget -= n
		kept = append(kept, c)
	}
	return kept, leftOut
}

// PromptOrder puts the strongest first and the second strongest last, because
// models read the ends of a prompt best: 1 3 5 … 6 4 2.
func PromptOrder(cands []Candidate) []Candidate {
	out := make([]Candidate, len(cands))
	for i, c := range cands {
		if i%2 == 0 {
			out[i/2] = c
		} else {
			out[len(out)-1-i/2] = c
		}
	}
	return out
}

// Prioritise is the bonus to authority for rank 1 to 5 of the prioritised
// sources; other ranks give 0.
func Prioritise(rank int) float64 {
	if rank < 1 || rank > 5 {
		return 0
	}
	return math.Round(float64(6-rank)*4) / 100
}
