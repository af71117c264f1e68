package web

import (
	"strings"
	"testing"
	"time"
)

func TestTheLinesOfARobotsFileThatAreForUs(t *testing.T) {
	const text = "\xef\xbb\xbf# of the site\nUser-agent: Other\nUser-agent: footNote/2.0\nDisallow: /ours # not\nCrawl-delay: 3\nAllow: /ours/open\n" +
		"Sitemap: https://site.example/map.xml\rUser-Agent: *\r\nDisallow: /\r\nUser-agent: FOOTNOTE\nDisallow: /*.pdf$\nDisallow: /a*b*c\nDisallow: /q?\nDisallow:\nAllow: /tie\nDisallow: /tie\n"
	rules := &robotRules{rules: rulesFor("Footnote", text)}
	for path, want := range map[string]bool{
		"/": true, "/ours": false, "/ours/x": false, "/ours/open/x": true, "/x.pdf": false, "/x.pdf?a": true, "/a/b/c": false, "/abc": false, "/acb": true,
		"/q?x=1": false, "/q": true, "/tie": true,
	} {
		if rules.allows(path) != want {
			t.Errorf("%s: want %t", path, want)
		}
	}
	everyone := &robotRules{rules: rulesFor("Somebody", text)}
	if everyone.allows("/x") || len(rulesFor("Footnote", "Disallow: /\nnonsense\n:\n")) != 0 {
		t.Error("rules for everyone, or for nobody")
	}
	if rules := rulesFor("Footnote", "User-agent: *\nDisallow: /\nUser-agent: Footnote\nDisallow:\n"); len(rules) != 0 {
		t.Errorf("named without a rule: %v", rules)
	}
}

// Each of these kept a processor busy for between ten seconds and five minutes, where
// neither Stop nor a limit of time reaches.
func TestPatternsOfARobotsFileCostLittle(t *testing.T) {
	path := "/" + strings.Repeat("a", maxAddress-2) + "b"
	for name, text := range map[string]string{
		"a long pattern":   "User-agent: *\nDisallow: /" + strings.Repeat("*a", 240_000) + "\n",
		"many patterns":    "User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("*a", 50)+"$\n", 4_400),
		"many groups":      strings.Repeat("User-agent: *\nDisallow: /*a*b*c*d$\n", 13_000),
		"many short rules": "User-agent: *\n" + strings.Repeat("Disallow:/*c\n", 38_000),
	} {
		began := time.Now()
		rules, err := robotRulesOf(200, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		rules.allows(path)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s takes %s", name, took)
		} else {
			t.Logf("%s: %s", name, took)
		}
	}
}
