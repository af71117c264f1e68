package youtube

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"footnote/backend/bounded"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

// cue is one caption.
type cue struct {
	at   time.Duration // from the beginning
	text string
}

// add continues a caption; of one that is longer than any can be, the rest is left
// out.
func (c *cue) add(text string) {
	if len(c.text) < 8*cueRunes {
		c.text += text
	}
}

const (
	mostCues  = 50_000
	cueRunes  = 1000
	blockTime = 30 * time.Second // of captions that stand together
	blockMost = 600              // bytes
)

var errCaptions = errors.New("read captions: none of the known forms")

// parseCaptions reads captions as YouTube's XML, its JSON or WebVTT, in order of
// time. No captions and no error means that the track is empty.
func parseCaptions(data []byte) ([]cue, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	var cues []cue
	var err error
	switch {
	case len(data) == 0:
		return nil, nil
	case bytes.HasPrefix(data, []byte("WEBVTT")):
		cues = parseVTT(string(data))
	case data[0] == '{':
		cues, err = parseJSON3(data)
	case data[0] == '<':
		cues, err = parseXML(data)
	default:
		err = errCaptions
	}
	if err != nil {
		return nil, err
	}
	return tidy(cues), nil
}

// tidy makes plain lines of captions and drops empty ones, and those that repeat
// the one before, as captions do that roll over the screen.
func tidy(cues []cue) []cue {
	slices.SortStableFunc(cues, func(a, b cue) int { return int(min(max(a.at-b.at, -1), 1)) })
	kept := cues[:0]
	for _, c := range cues {
		c.text = web.PlainText(c.text, cueRunes)
		if c.text == "" || len(kept) > 0 && kept[len(kept)-1].text == c.text {
			continue
		}
		kept = append(kept, c)
	}
	return kept
}

func parseJSON3(data []byte) ([]cue, error) {
	var f struct {
		Events []struct {
			Start float64 `json:"tStartMs"`
			Segs  []struct {
				Text string `json:"utf8"`
			} `json:"segs"`
		} `json:"events"`
	}
	if err := bounded.Unmarshal(data, bounded.Usual, &f); err != nil {
		return nil, fmt.Errorf("read captions: %w", err)
	}
	var cues []cue
	for _, e := range f.Events[:min(len(f.Events), mostCues)] {
		var b strings.Builder
		for _, s := range e.Segs {
			b.WriteString(s.Text)
		}
		cues = append(cues, cue{milliseconds(e.Start), b.String()})
	}
	return cues, nil
}

// parseXML reads both XML forms: <text start="1.54"> in seconds and <p t="1540">
// in milliseconds.
func parseXML(data []byte) ([]cue, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	var cues []cue
	open := false
	for len(cues) <= mostCues {
		token, err := d.Token()
		if err == io.EOF {
			return cues, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read captions: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "text":
				cues, open = append(cues, cue{at: milliseconds(1000 * attribute(t, "start"))}), true
			case "p":
				cues, open = append(cues, cue{at: milliseconds(attribute(t, "t"))}), true
			case "br":
				if open {
					cues[len(cues)-1].add(" ")
				}
			}
		case xml.EndElement:
			open = open && t.Name.Local != "text" && t.Name.Local != "p"
		case xml.CharData:
			if open {
				cues[len(cues)-1].add(string(t))
			}
		}
	}
	return cues, nil
}

func attribute(t xml.StartElement, name string) float64 {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			n, err := strconv.ParseFloat(a.Value, 64)
			if err == nil {
				return n
			}
		}
	}
	return 0
}

// parseVTT reads WebVTT: a line of times, then lines of text up to an empty one.
func parseVTT(text string) []cue {
	var cues []cue
	open := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		from, _, timed := strings.Cut(line, "-->")
		switch {
		case timed && len(cues) < mostCues:
			cues, open = append(cues, cue{at: vttTime(from)}), true
		case line == "":
			open = false
		case open:
			cues[len(cues)-1].add(line + " ")
		}
	}
	return cues
}

func vttTime(s string) time.Duration {
	seconds := 0.0
	for part := range strings.SplitSeq(strings.TrimSpace(s), ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0
		}
		seconds = seconds*60 + n
	}
	return milliseconds(1000 * seconds)
}

// milliseconds is a time of a video; what is none of the first hundred hours is
// its beginning.
func milliseconds(n float64) time.Duration {
	if !(n > 0 && n < 360_000_000) {
		return 0
	}
	return time.Duration(n) * time.Millisecond
}

// transcript joins captions to paragraphs of about half a minute, each with its
// time as its place.
func transcript(cues []cue) (string, []evidence.Block) {
	var out strings.Builder
	var blocks []evidence.Block
	var began time.Duration
	for _, c := range cues {
		n := len(blocks)
		if n > 0 && c.at-began < blockTime && blocks[n-1].End-blocks[n-1].Start+len(c.text) < blockMost {
			out.WriteString(" " + c.text)
			blocks[n-1].End = out.Len()
			continue
		}
		if n > 0 {
			out.WriteString("\n\n")
		}
		began = c.at
		start := out.Len()
		out.WriteString(c.text)
		blocks = append(blocks, evidence.Block{Start: start, End: out.Len(), Kind: evidence.Paragraph, Page: int(c.at / time.Second), Unit: evidence.Seconds})
	}
	return out.String(), blocks
}
