package rank

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"footnote/backend/evidence"
)

func TestNormalizeURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://Example.COM/a/": "https://example.com/a",
		"https://example.com":    "https://example.com",
		"https://example.com//":  "https://example.com",
		"https://example.com/a?utm_source=x&b=1&fbclid=2&ref=3#frag": "https://example.com/a?b=1",
		"https://example.com/a?utm_medium=1&utm_campaign=2":          "https://example.com/a",
		"https://example.com/a?utm_term=kept&z=%20":                  "https://example.com/a?utm_term=kept&z=%20",
		"https://github.com/a/b?ref=main":                            "https://github.com/a/b?ref=main",
		"https://gist.github.com/a?ref=x&utm_source=y":               "https://gist.github.com/a?ref=x",
		"https://notgithub.com/a?ref=main":                           "https://notgithub.com/a",
		"http://example.com:80/a":                                    "http://example.com/a",
		"http://example.com:8080/a":                                  "http://example.com:8080/a",
		"http://[::1":                                                "http://[::1",
		"%zz":                                                        "%zz",
		"":                                                           "",
		"/home/me/a.pdf":                                             "/home/me/a.pdf",
	} {
		if got := NormalizeURL(raw); got != want {
			t.Errorf("NormalizeURL(%q) = %q, want %q", raw, got, want)
		}
		if again := NormalizeURL(NormalizeURL(raw)); again != want {
			t.Errorf("normalising %q twice gives %q", raw, again)
		}
	}
}

func FuzzNormalizeURL(f *testing.F) {
	for _, s := range []string{"https://a.b/c?ref=1#x", "http://[::1", "//x", "%", "https://a/?&&=&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		once := NormalizeURL(raw)
		if twice := NormalizeURL(once); twice != once {
			t.Fatalf("%q: %q, then %q", raw, once, twice)
		}
	})
}

func TestDedupLeadsKeepsTheHigherScoreAtTheFirstPlace(t *testing.T) {
	lead := func(address string, score float64) evidence.Lead {
		return evidence.Lead{Source: evidence.Source{Address: address}, Score: score}
	}
	got := DedupLeads([]evidence.Lead{lead("https://a.com/x", 1), lead("https://b.com", 5), lead("https://a.com/x/?utm_source=q", 3), lead("https://b.com#f", 2)})
	if len(got) != 2 || got[0].Score != 3 || got[1].Score != 5 {
		t.Errorf("leads are %+v", got)
	}
}

func TestFuseLeadsPutsWhatSeveralFoundFirst(t *testing.T) {
	list := func(addresses ...string) (leads []evidence.Lead) {
		for _, a := range addresses {
			leads = append(leads, evidence.Lead{Source: evidence.Source{Address: a}})
		}
		return leads
	}
	got := ""
	for _, l := range FuseLeads(list("https://a.com", "https://b.com", "https://c.com"), nil, list("https://d.com", "https://e.com", "https://c.com/?utm_source=x")) {
		got += l.Source.Address[8:9]
	}
	if got != "cadbe" {
		t.Errorf("order %s", got)
	}
	if got := FuseLeads(); len(got) != 0 {
		t.Errorf("%d leads of no list", len(got))
	}
}

func TestDedupAbove(t *testing.T) {
	words := func(n, from int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "word%d ", from+i)
		}
		return b.String()
	}
	cjk := strings.Repeat("東京都は日本の首都であり世界最大の都市の一つ", 1)
	got := DedupAbove([]Candidate{
		web("a", "", words(100, 0)),
		web("near", "", strings.ToUpper(words(97, 0))), // 0.97
		web("far", "", words(100, 8)),                  // 92 of 108
		web("empty", "", ""), web("empty2", "", ""),
		web("cjk", "", cjk), web("cjk2", "", cjk+"。"), web("cjk3", "", "大阪は西日本の中心都市であり食の街として知られる"),
	}, DefaultJaccard)
	if ids(got) != "a far empty empty2 cjk cjk3" {
		t.Errorf("kept %s", ids(got))
	}
	if got := DedupAbove([]Candidate{web("a", "", words(92, 0)), web("b", "", words(100, 0))}, DefaultJaccard); len(got) != 2 {
		t.Error("a likeness of exactly 0.92 is a duplicate")
	}
}

func TestCapDomains(t *testing.T) {
	in := []Candidate{
		web("a", "https://www.x.com/1", ""), web("b", "https://x.com/2", ""), web("c", "https://x.com/3", ""),
		web("d", "https://x.com/1/", ""), web("e", "https://y.com", ""), local("f", ""), local("g", ""), web("h", "http://[::1", ""),
	}
	for limit, want := range map[int]string{0: "a b c d e f g h", 1: "a e f g h", 2: "a b e f g h"} {
		if limit == 2 {
			in[3].Source.Address = "https://www.x.com/1/#again" // another passage of the first page
			want = "a b d e f g h"
		}
		got := ids(CapDomains(in, limit))
		if limit == 1 {
			got = strings.Replace(got, " d", "", 1)
		}
		if got != want {
			t.Errorf("limit %d keeps %s, want %s", limit, got, want)
		}
	}
}

func TestBalance(t *testing.T) {
	side := func(n int, make func(id, text string) Candidate, prefix string, relevance float64) []Candidate {
		var out []Candidate
		for i := range n {
			c := make(fmt.Sprint(prefix, i), "")
			c.Scores.Relevance = relevance
			out = append(out, c)
		}
		return out
	}
	onWeb := func(id, text string) Candidate { return web(id, "https://x.com", text) }
	count := func(cands []Candidate) (l, w int) {
		for _, c := range cands {
			if c.Local() {
				l++
			} else {
				w++
			}
		}
		return l, w
	}
	for _, c := range []struct {
		local, web, k      int
		localRel, webRel   float64
		wantLocal, wantWeb int
		localFirst         bool
	}{
		{20, 10, 6, 1, 1, 3, 3, true},
		{2, 10, 8, 1, 1, 2, 6, false},
		{10, 2, 8, 1, 1, 6, 2, true},
		{20, 10, 5, 1, 1, 3, 2, true},
		{10, 10, 8, 0.1, 1, 0, 8, false}, // files too weak for a place of their own
		{10, 10, 8, 0.1, 1, 4, 4, true},  // but the strongest by composite still stand
		{0, 3, 8, 1, 1, 0, 3, true},
		{20, 20, 12, 1, 1, 4, 4, true}, // never above 8
	} {
		l, w := side(c.local, local, "l", c.localRel), side(c.web, onWeb, "w", c.webRel)
		in := append(l, w...)
		if !c.localFirst {
			in = append(w, l...)
		}
		if gl, gw := count(Balance(in, c.k, DefaultFloor)); gl != c.wantLocal || gw != c.wantWeb {
			t.Errorf("%+v gives %d/%d", c, gl, gw)
		}
	}
}

func TestFitAndPromptOrder(t *testing.T) {
	in := []Candidate{web("1", "", "aaaa"), web("2", "", "aaaaaaaaaaaa"), web("3", "", "aaa"), web("4", "", "a")}
	kept, left := Fit(in, 8, func(c Candidate) int { return len(c.Passage.Text) })
	if ids(kept) != "1 3 4" || left != 1 {
		t.Errorf("kept %s, left %d", ids(kept), left)
	}
	for n, want := range []string{"", "1", "1 2", "1 3 2", "1 3 4 2"} {
		if got := ids(PromptOrder(in[:n])); got != want {
			t.Errorf("order of %d is %q, want %q", n, got, want)
		}
	}
}

func TestFileNameMatch(t *testing.T) {
	filings := []string{"ACME_2023Q3_10Q", "ACME_2023Q4_10Q", "ACME_2024Q1_10Q"}
	dates := []time.Time{now.AddDate(-2, 0, 0), now.AddDate(-1, 0, 0), now}
	for _, c := range []struct {
		question string
		names    []string
		want     [3]float64
	}{
		{"revenue in the fourth quarter of 2023", filings, [3]float64{0.5, 1, 0}},
		{"revenue in Q1 2024", filings, [3]float64{0, 0, 1}},
		{"what was the revenue", filings, [3]float64{0, 0, 0}},
		{"revenue in the most recent quarter", filings, [3]float64{0, 0, 1}},
		{"latest revenue of 2023Q3", filings, [3]float64{1, 0.5, 0}},
		{"garden notes", []string{"garden notes", "kitchen", "cellar"}, [3]float64{0, 0, 0}},
		{"minutes of Sept", []string{"minutes september", "minutes october", "minutes november"}, [3]float64{1, 0, 0}},
		{"manual v2", []string{"manual v1", "manual v2", "manual v3"}, [3]float64{0, 1, 0}},
	} {
		got := FileNameMatch(c.question, c.names, dates)
		for i := range c.want {
			if !close9(got[i], c.want[i]) {
				t.Errorf("%q over %v gives %v, want %v", c.question, c.names, got, c.want)
				break
			}
		}
	}
	if got := FileNameMatch("acme 2023", filings[:1], nil); got[0] != 0 {
		t.Errorf("one file alone: %v", got)
	}
}

func TestTheNewestFileIsToldByThePeriodInItsNameFirst(t *testing.T) {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		names []string
		dates []time.Time
		want  int
	}{
		{[]string{"2023 Q3", "2023 Q1", "2022 Q4"}, []time.Time{day, day.AddDate(0, 0, 1), day.AddDate(0, 0, 2)}, 0},
		{[]string{"minutes march 2026", "minutes december 2025", "minutes april 2026"}, nil, 2},
		{[]string{"report h1 2025", "report h2 2025"}, []time.Time{day, day}, 1},
		{[]string{"draft 1", "draft 2"}, []time.Time{day.AddDate(0, 0, 1), day}, 0},
	} {
		got := FileNameMatch("the latest one", c.names, c.dates)
		for i, m := range got {
			if (m == 1) != (i == c.want) {
				t.Errorf("%v: %v, want %d to match", c.names, got, c.want)
			}
		}
	}
}

func TestPresetsAreChosenByTheQuestion(t *testing.T) {
	for _, c := range []struct{ question, focus, want string }{
		{"What is the latest news on Mars?", "web", "news"},
		{"How do I fix a Python import error?", "all", "technical"},
		{"Why does strings.Cut() return three values?", "all", "technical"},
		{"What is the best tent for winter?", "web", "opinion"},
		{"Who was Ada Lovelace?", "web", "general"},
		{"Who was Ada Lovelace?", "academic", "academic"},
		{"latest news", "community", "community"},
		{"bestow", "web", "general"},
		{"Welches Zelt ist das beste für den Winter?", "web", "opinion"},
		{"Was sind die neuesten Nachrichten vom Mars?", "web", "news"},
		{"Wie kann ich die Datenbank konfigurieren?", "web", "technical"},
		{"Warum meldet Docker das nicht?", "web", "technical"},
		{"Wer war Ada Lovelace, und wann ist sie gestorben?", "web", "general"},
		{"Quelles sont les dernières nouvelles d’aujourd’hui ?", "web", "news"},
		{"¿Vale la pena comprar esta tienda?", "web", "opinion"},
		{"Czy warto kupić ten namiot?", "web", "opinion"},
		{"Какая сегодня погода в Москве?", "web", "news"},
		{"冬におすすめのテントは何ですか", "web", "opinion"},
		{"最近有什么新闻？", "web", "news"},
		{"ما هي أفضل خيمة للشتاء؟", "web", "opinion"},
		{"", "", "general"},
	} {
		if got := PresetFor(c.question, c.focus); got != c.want {
			t.Errorf("PresetFor(%q, %s) = %s, want %s", c.question, c.focus, got, c.want)
		}
	}
}
