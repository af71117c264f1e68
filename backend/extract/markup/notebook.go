package markup

import (
	"context"
	"encoding/json"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// notebook is what is read of a Jupyter file; outputs are only looked at for
// their plain text.
type notebook struct {
	Cells []struct {
		Type    string      `json:"cell_type"`
		Source  joinedLines `json:"source"`
		Outputs []struct {
			Text joinedLines                `json:"text"`
			Data map[string]json.RawMessage `json:"data"`
		} `json:"outputs"`
	} `json:"cells"`
	Metadata struct {
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
	} `json:"metadata"`
}

// joinedLines is a text given as one string or as a list of lines.
type joinedLines string

// UnmarshalJSON accepts a string, a list of strings, and takes anything else
// for no text.
func (j *joinedLines) UnmarshalJSON(data []byte) error {
	var lines []string
	var one string
	if json.Unmarshal(data, &one) == nil {
		*j = joinedLines(one)
	} else if json.Unmarshal(data, &lines) == nil {
		*j = joinedLines(strings.Join(lines, ""))
	}
	return nil
}

// outputShown is how much of a cell's output is text worth finding.
const outputShown = 10_000

// ReadNotebook reads cells in order: Markdown as Markdown, code as code, and the
// first lines of what the code printed.
func ReadNotebook(_ context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	if len(data) > lim.Text {
		return format.TooLargeFile(int64(len(data)), int64(lim.Text))
	}
	var nb notebook
	if err := json.Unmarshal([]byte(b.Decode(data, "")), &nb); err != nil {
		return format.Fail(format.Malformed, "The notebook is damaged: it is no valid JSON.", err)
	}
	for _, c := range nb.Cells {
		if c.Type == "markdown" {
			addMarkdown(b, string(c.Source), false)
			continue
		}
		b.Add(evidence.Block{Kind: evidence.Code, Label: shortLanguage(nb.Metadata.Language.Name)}, string(c.Source))
		for _, o := range c.Outputs {
			text := string(o.Text)
			if len(text) > outputShown {
				text = strings.ToValidUTF8(text[:outputShown], "")
			}
			b.Add(evidence.Block{Kind: evidence.Code}, text)
		}
	}
	return nil
}
