package export

import (
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/cite"
	"footnote/backend/evidence"
)

// Two answers: one of everything that Markdown has, with a doubted claim of each
// kind, and one that was not finished.
const sampleText = "# The Lorne bridge\n\nThe bridge was **opened in 1932**[1] and cost *4.2 million* pounds [2]. It is 300 m long [1].\n\n" +
	"## Facts & figures\n\n1. First <b>fact</b> [2]\n2. Second, with `a[1] < b` in it\n   - nested ~~old~~ point\n\n     more of it\n3. Third\n\n> A quotation,\n> in two lines [1].\n\n" +
	"```go\nif a[1] < 2 {\n\treturn \"&\"\n}\n```\n\n| Year | Cost |\n| --- | --- |\n| 1932 | 4.2 [2] |\n| 1933 |\n\n---\n\n" +
	"See [the page](https://example.org/a?b=1&c=2) or [nothing](javascript:alert(1)). ![picture](https://example.org/p.png)\n\nΕλληνικά, русский, naïve — “quoted”.\n"

func sampleTime(day int) time.Time { return time.Date(2026, 3, day, 10, 0, 0, 0, time.UTC) }

// citationsOf gives the n-th marker of a text the n-th verdict.
func citationsOf(text string, verdicts ...contract.Verdict) []contract.Citation {
	var list []contract.Citation
	for i, m := range cite.Markers(text, 0) {
		start := len([]rune(text[:m.Span.Start]))
		list = append(list, contract.Citation{
			Marker: m.N, Passage: "psg_aaaaaaaaaaaaaaaa", Source: "src_aaaaaaaaaaaaaaaa", Claim: contract.Quoted{Start: max(0, start-10), End: start},
			Quote: contract.Quoted{End: 6, Text: "what the source says of " + number(i)}, Highlight: []contract.Range{{End: 6}}, Verdict: verdicts[i%len(verdicts)],
		})
	}
	return list
}

func sampleThread() Thread {
	day := "2001-05-02"
	return Thread{ID: "thr_aaaaaaaaaaaaaaaa", Title: "When was the bridge opened?", Type: "chat", Created: sampleTime(1), Updated: sampleTime(2), Runs: []contract.Run{
		{ID: "run_aaaaaaaaaaaaaaaa", Thread: "thr_aaaaaaaaaaaaaaaa", Status: contract.Finished, Started: sampleTime(1), Question: contract.Question{Text: "When was the\nbridge opened?"}, Answer: &contract.Answer{
			Question: "When was the bridge opened?", Answer: sampleText, Outcome: contract.Answered, Timestamp: contract.StampOf(sampleTime(1)),
			Citations: citationsOf(sampleText, contract.Supported, contract.Contradicted, contract.Partly, contract.NotFound),
			Sources: []contract.SourceCard{
				{N: 1, ID: "src_aaaaaaaaaaaaaaaa", Kind: evidence.File, Title: "History of *bridges* & {roads", Path: "/home/ann/History_of_it.pdf", Locator: evidence.Locator{Page: 4}},
				{N: 2, ID: "src_bbbbbbbbbbbbbbbb", Kind: evidence.Paper, Title: "Costs: 50% over", URL: "https://doi.org/10.1000/xyz_1", Domain: "doi.org", Published: &day},
				{N: 3, ID: "src_cccccccccccccccc", Kind: evidence.Web, Title: "Roads of the county", URL: "https://example.org/roads", Domain: "example.org"},
			},
			Disagreements: []contract.Disagreement{{Claim: "it opened", Sides: []contract.Side{{Source: "src_aaaaaaaaaaaaaaaa", Value: "1932"}, {Source: "src_bbbbbbbbbbbbbbbb", Value: "1933", Date: day}}}},
		}},
		{ID: "run_bbbbbbbbbbbbbbbb", Thread: "thr_aaaaaaaaaaaaaaaa", Status: contract.Stopped, Started: sampleTime(2), Question: contract.Question{Text: "And then?"}, Partial: "It was"},
	}}
}
