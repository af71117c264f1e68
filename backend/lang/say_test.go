package lang

import (
	"strings"
	"testing"
)

// TestEveryLanguageThatSaysOneTextSaysAll holds the texts of the product to those in
// English: the same keys, with the same values in them. All languages say those of
// answers, some also those of reports.
func TestEveryLanguageThatSaysOneTextSaysAll(t *testing.T) {
	english := tables()[English][say]
	for _, code := range codes {
		texts := tables()[code][say]
		if texts["and"] == "" {
			t.Errorf("%s joins nothing", code)
		}
		for key := range texts {
			if english[key] == "" {
				t.Errorf("%s: %s is not said in English", code, key)
			}
		}
		reports := texts["summary"] != ""
		for key, text := range english {
			if !reports && !strings.HasPrefix(key, "answer-") {
				continue // English stands in
			}
			wanted := strings.Count(strings.Split(text, "|")[0], "{}")
			for form := range strings.SplitSeq(texts[key], "|") {
				if form == "" || strings.Count(form, "{}") != wanted {
					t.Errorf("%s: %s: %q, not %q", code, key, form, text)
				}
			}
		}
	}
}

func TestATextIsSaidWithItsNumberAndValues(t *testing.T) {
	for _, c := range []struct {
		code Code
		n    int
		want string
	}{
		{English, 1, "1 source"}, {English, 0, "0 sources"}, {German, 3, "3 Quellen"}, {French, 0, "0 source"}, {Japanese, 2, "資料2件"},
		{Russian, 1, "1 источник"}, {Russian, 3, "3 источника"}, {Russian, 11, "11 источников"}, {Russian, 21, "21 источник"}, {Polish, 21, "21 źródeł"}, {Polish, 22, "22 źródła"},
		{Turkish, 2, "2 sources"},
	} {
		if got := c.code.Say("sources", c.n); got != c.want {
			t.Errorf("%s: %q, not %q", c.code, got, c.want)
		}
	}
	if got := German.Say("older", "A {} b", 2021, 2025); got != "„A {} b“ von 2021 (2025 gilt)" {
		t.Error(got)
	}
}
