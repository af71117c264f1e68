package cite

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

const bridgeText = `The Old River Bridge was opened on 19 March 1932 by Mayor Alice Brandt. It carries eight lanes of traffic and two railway tracks. ` +
	`The steel arch is 503 metres long. Painting the arch takes ten years, and 12 % of the budget goes into paint. ` +
	`The tolls did not cover the cost of maintenance. In 1988 the tolls were abolished. Traffic increased after the tolls ended.`

// ownPair is a claim of our own with the verdict it must get.
type ownPair struct {
	Claim, Passage, Verdict string
	Why                     string // part of the reason
	Quote                   string // part of the quote
}

func TestOwnPairsGetTheirVerdicts(t *testing.T) {
	b, err := os.ReadFile("testdata/pairs.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []ownPair
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	c := testChecker(t)
	for _, x := range all {
		passage := x.Passage
		if passage == "" {
			passage = bridgeText
		}
		f := c.Check(x.Claim, "", passage)
		quote := passage[f.Quote.Start:f.Quote.End]
		if f.Verdict != x.Verdict || !strings.Contains(f.Why, x.Why) || !strings.Contains(quote, x.Quote) {
			t.Errorf("%s\n got  %s (%.3f) why %q quote %q\n want %s why %q quote %q", x.Claim, f.Verdict, f.Score, f.Why, quote, x.Verdict, x.Why, x.Quote)
		}
	}
	if len(all) < 20 {
		t.Errorf("%d pairs, want 20", len(all))
	}
}

func TestAClaimCopiedFromThePassageIsSupported(t *testing.T) {
	c := testChecker(t)
	p := c.Read(bridgeText)
	for _, at := range p.spans {
		sentence := bridgeText[at.Start:at.End]
		if f := c.CheckRead(sentence, "", p); f.Verdict != Supported || f.Highlight[0] != at {
			t.Errorf("%q: %s, highlight %v, want %v", sentence, f.Verdict, f.Highlight, at)
		}
	}
}

func TestAnEmptyPassageSupportsNothing(t *testing.T) {
	c := testChecker(t)
	for _, claim := range []string{"The bridge was opened in 1932.", "It is not so.", "a", ""} {
		for _, passage := range []string{"", " \n", "."} {
			if f := c.Check(claim, "", passage); f.Verdict != NotFound || f.Score >= 0.11 || len(f.Highlight) != 0 {
				t.Errorf("%q in %q: %s %.3f %v", claim, passage, f.Verdict, f.Score, f.Highlight)
			}
		}
	}
}

func TestAnotherSentenceNeverLowersTheRecallOfThePassage(t *testing.T) {
	c := testChecker(t)
	claim, before := "The bridge was opened in 1932 and carries trains.", 0.0
	p := c.Read(bridgeText)
	for n := 1; n <= len(p.sentences); n++ {
		pair := c.pair(claim, "", p.sentences[:n])
		rp := pair.measure().rp
		if rp < before {
			t.Errorf("recall fell from %.3f to %.3f with sentence %d", before, rp, n)
		}
		before = rp
	}
}

func TestTheShapeOfQuotesAndDashesDoesNotMatter(t *testing.T) {
	c := testChecker(t)
	fancy := strings.NewReplacer("'", "’", `"`, "”", "-", "–", " ", "\u00a0")
	for _, claim := range []string{`The "Old River" bridge's arch is 503 metres long.`, "Painting takes 10-12 years.", "The tolls didn't cover the cost."} {
		a, b := c.Check(claim, "", bridgeText), c.Check(fancy.Replace(claim), "", fancy.Replace(bridgeText))
		if a.Verdict != b.Verdict || a.Score != b.Score {
			t.Errorf("%q: %s %.4f, with other quotes %s %.4f", claim, a.Verdict, a.Score, b.Verdict, b.Score)
		}
	}
}

func TestMarksAndBulletsAreNoPartOfTheClaim(t *testing.T) {
	c := testChecker(t)
	plain := c.Check("The steel arch is 503 metres long.", "", bridgeText)
	for _, claim := range []string{"The steel arch is 503 metres long [1].", "- The steel arch is 503 metres long. [12][3]", "2. The steel arch [2] is 503 metres long."} {
		if f := c.Check(claim, "", bridgeText); f.Verdict != plain.Verdict || f.Score != plain.Score {
			t.Errorf("%q: %s %.4f, want %s %.4f", claim, f.Verdict, f.Score, plain.Verdict, plain.Score)
		}
	}
}

func TestTheHighlightIsNeverMoreThanTwoSentences(t *testing.T) {
	c := testChecker(t)
	f := c.Check("Mayor Alice Brandt opened the bridge in 1932 and the tolls were abolished in 1988.", "", bridgeText)
	if len(f.Highlight) != 2 || f.Quote.Start != f.Highlight[0].Start || f.Quote.End != f.Highlight[1].End {
		t.Errorf("highlight %v, quote %v", f.Highlight, f.Quote)
	}
	for _, at := range f.Highlight {
		if s := bridgeText[at.Start:at.End]; strings.TrimSpace(s) != s || !strings.HasSuffix(s, ".") {
			t.Errorf("%q is no sentence", s)
		}
	}
}

func TestScriptsWithoutSpacesAreCompared(t *testing.T) {
	c := testChecker(t)
	passage := "東京は日本の首都である。人口は約1400万人で、世界最大級の都市圏を形成している。"
	if f := c.Check("東京は日本の首都です", "", passage); f.Verdict == NotFound || !strings.Contains(passage[f.Quote.Start:f.Quote.End], "首都") {
		t.Errorf("%s %.3f %q", f.Verdict, f.Score, passage[f.Quote.Start:f.Quote.End])
	}
	if f := c.Check("大阪は料理で有名です", "", passage); f.Verdict == Supported {
		t.Errorf("unrelated claim is %s", f.Verdict)
	}
}

func TestNumbersInScriptsWithoutSpacesAreBound(t *testing.T) {
	c := testChecker(t)
	chinese := "跨海大桥全长55千米，于2018年10月通车。隧道全长6.7千米，于2017年5月贯通。"
	japanese := "東京は日本の首都である。人口は約１４００万人で、面積は2194平方キロメートルである。"
	for _, x := range []struct {
		claim, passage string
		stands         bool
	}{
		{"跨海大桥全长55千米。", chinese, true}, {"隧道全长6.7千米。", chinese, true}, {"大桥于2018年10月通车。", chinese, true},
		{"跨海大桥全长48千米。", chinese, false}, {"隧道全长6.9千米。", chinese, false}, {"大桥于1999年10月通车。", chinese, false},
		{"東京の人口は約1400万人である。", japanese, true}, {"東京の人口は約1900万人である。", japanese, false}, {"東京の人口は約1400人である。", japanese, false},
		{"다리의 길이는 55 미터이다.", "다리의 길이는 55 미터이고 높이는 12 미터이다.", true}, {"다리의 길이는 57 미터이다.", "다리의 길이는 55 미터이고 높이는 12 미터이다.", false},
		{"สะพานยาว 59 กิโลเมตร", "สะพานยาว 55 กิโลเมตร และอุโมงค์ยาว 6 กิโลเมตร เปิดปี 2018", false},
	} {
		if f := c.Check(x.claim, "", x.passage); x.stands != (f.Verdict == Supported) {
			t.Errorf("%s: %s (%.3f) %s", x.claim, f.Verdict, f.Score, f.Why)
		}
	}
	if f := c.Check("人口は約14000000人", "", japanese); f.Held {
		t.Errorf("1400万 is no 14000000: %s", f.Why)
	}
}

func TestNumbersAreRead(t *testing.T) {
	c := testChecker(t)
	for text, want := range map[string]struct {
		kind  kind
		value float64
		unit  string
	}{
		"costs $5": {money, 5, ""}, "about 12 % of it": {percent, 12, ""}, "in 1932 it": {year, 1932, ""}, "the 1980s were": {year, 1980, ""},
		"on the 5th of": {ordinal, 5, ""}, "the third time": {ordinal, 3, ""}, "the first time": {rank, 1, ""}, "1,204 people": {count, 1204, "peopl"},
		"3 million people": {count, 3e6, "peopl"}, "two hundred thousand votes": {count, 2e5, "vote"}, "covid-19 spread": {label, 19, ""}, "type 2 cells": {label, 2, ""},
		"Windows 11 is": {label, 11, ""}, "on May 8 he": {count, 8, ""}, "one of them": {single, 1, ""}, "4.5 km": {count, 4.5, "km"}, "a dozen eggs": {count, 12, "egg"},
	} {
		s := c.read(normalise(text))
		found := false
		for _, x := range s.tokens {
			if x.number() {
				found = true
				if x.kind != want.kind || x.value != want.value || x.unit != want.unit {
					t.Errorf("%q: kind %d value %g unit %q, want %d %g %q", text, x.kind, x.value, x.unit, want.kind, want.value, want.unit)
				}
				break
			}
		}
		if !found {
			t.Errorf("%q has no number", text)
		}
	}
}

func FuzzChecker(f *testing.F) {
	f.Add("The bridge was opened in 1932 [1].", "When?", bridgeText)
	f.Add("1,2,3 th17 X-9 $5% 12 % ½ n't 's", "no", "0.5·3 [9] 二十 e\u0301")
	f.Add("跨海大桥全长48千米，2017年通车。", "", "跨海大桥全长55千米，2018年通车。隧道长48千米。")
	f.Add("ถนนยาว 12 กม.", "다리 12", "다리는 12 km, 東京は 1400万人, สะพาน 12")
	c, err := NewChecker()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, claim, question, passage string) {
		got := c.Check(claim, question, passage)
		if !(got.Score >= 0 && got.Score <= 1) {
			t.Fatalf("score %v", got.Score)
		}
		for _, at := range append(got.Highlight, got.Quote) {
			_ = passage[at.Start:at.End]
		}
		VerbatimQuote(claim, passage)
		c.Terms(claim)
		c.Dispute(claim, c.Read(passage))
	})
}

func BenchmarkCheck200Words(b *testing.B) {
	c := testChecker(b)
	passage := strings.Repeat(bridgeText+" ", 3)
	words := strings.Fields(passage)
	passage = strings.Join(words[:200], " ")
	b.Run("fresh", func(b *testing.B) {
		for b.Loop() {
			c.Check("Mayor Alice Brandt opened the eight-lane Old River Bridge in 1932, and the tolls were abolished in 1987.", "When was the bridge opened?", passage)
		}
	})
	read := c.Read(passage)
	b.Run("read before", func(b *testing.B) {
		for b.Loop() {
			c.CheckRead("Mayor Alice Brandt opened the eight-lane Old River Bridge in 1932, and the tolls were abolished in 1987.", "When was the bridge opened?", read)
		}
	})
}
