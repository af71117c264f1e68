package youtube

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/bounded"
	"footnote/backend/evidence"
)

var captionForms = map[string]string{
	"xml in seconds":      `<?xml version="1.0"?><transcript><text start="0" dur="1.5">Hello &amp;amp; welcome</text><text start="5" dur="1"></text><text start="205.7" dur="3">to the &lt;i&gt;tower&lt;/i&gt;</text></transcript>`,
	"xml in milliseconds": `<timedtext format="3"><body><p t="0" d="1500">Hello &amp; welcome</p><p t="205700" d="3"><s>to the</s><s t="90"> tower</s></p></body></timedtext>`,
	"json":                `{"events":[{"tStartMs":0,"segs":[{"utf8":"Hello & "},{"utf8":"welcome"}]},{"tStartMs":9},{"tStartMs":205700,"segs":[{"utf8":"\nto the tower"}]}]}`,
	"vtt":                 "WEBVTT\nKind: captions\n\n00:00.000 --> 00:01.500\nHello &amp;\n<c>welcome</c>\n\n1\n00:03:25.700 --> 00:03:29.000 align:start\nto the tower\n\n00:03:26.000 --> 00:03:30.000\nto the tower\n",
}

func TestEveryFormOfCaptionsGivesTheSameLinesWithTheirTimes(t *testing.T) {
	want := []cue{{0, "Hello & welcome"}, {205700 * time.Millisecond, "to the tower"}}
	for form, data := range captionForms {
		if got, err := parseCaptions([]byte(data)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %v", form, got, err)
		}
	}
	for _, bad := range []string{"<text", "{", "hello", "<a><b></a>"} {
		if got, err := parseCaptions([]byte(bad)); len(got) != 0 {
			t.Errorf("%q: %v %v", bad, got, err)
		}
	}
}

// TestOneEndlessCaptionCostsWhatItIsLong has captions of many pieces, each of which
// was a copy of all before it.
func TestOneEndlessCaptionCostsWhatItIsLong(t *testing.T) {
	const n = 200_000
	for form, data := range map[string]string{
		"vtt": "WEBVTT\n\n00:00.000 --> 00:01.500\n" + strings.Repeat("ab\n", n), "xml": "<t><text start='0'>" + strings.Repeat("ab<br/>", n) + "</text></t>",
		"json": `{"events":[{"segs":[` + strings.Repeat(`{"utf8":"a"},`, n/4) + `{}]}]}`, "many": `{"events":[` + strings.Repeat("{},", 1_500_000) + "{}]}",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		cues, err := parseCaptions([]byte(data))
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; made > 200<<20 || len(cues) != 1 && !errors.Is(err, bounded.ErrMany) {
			t.Errorf("%s: %d captions, %v, %d MB were made", form, len(cues), err, made>>20)
		}
	}
}

func TestATranscriptHasItsTimesForPlaces(t *testing.T) {
	var cues []cue
	for i := range 400 {
		cues = append(cues, cue{time.Duration(i) * 10 * time.Second, "The lamp turns once more, sentence number " + strings.Repeat("x", i%7) + "."})
	}
	text, blocks := transcript(cues)
	doc := evidence.Document{Source: evidence.Source{Digest: evidence.Digest([]byte(text))}, Text: text, Blocks: blocks}
	passages := evidence.Split(doc, evidence.SplitOptions{})
	if len(passages) < 10 || passages[0].At.Place != "at 0:00" || passages[0].At.Page != 0 {
		t.Fatalf("%d passages, first %+v", len(passages), passages[0].At)
	}
	last := passages[len(passages)-1]
	if !strings.HasPrefix(last.At.Place, "at 1:0") || last.At.Page != 0 {
		t.Errorf("%+v", last.At)
	}
	if at := strings.Index(text, "xxxxxx"); evidence.PlaceAt(doc, at) != "at 1:00" {
		t.Errorf("%q", evidence.PlaceAt(doc, at))
	}
}

func FuzzCaptions(f *testing.F) {
	for _, data := range captionForms {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cues, err := parseCaptions(data)
		if err != nil {
			return
		}
		text, blocks := transcript(cues)
		end := 0
		for i, b := range blocks {
			if b.Start < end || b.End <= b.Start || b.End > len(text) || b.Page < 0 || i > 0 && b.Page < blocks[i-1].Page {
				t.Fatalf("block %d of %q: %+v", i, text, b)
			}
			end = b.End
		}
	})
}
