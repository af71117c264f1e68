package markup

import (
	"context"
	"slices"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

func TestCodeKeepsTheLanguageItsFileNames(t *testing.T) {
	notebook := `{"cells":[{"cell_type":"code","source":"print(1)","outputs":[{"text":"1"}]}],"metadata":{"language_info":{"name":"python"}}}`
	for name, c := range map[string]struct {
		read func(context.Context, *format.Builder, string, []byte, format.Limits) error
		text string
		want []string
	}{
		"markdown":     {ReadMarkdown, "```go title=a\nfunc a() {}\n```\n\n    indented\n\n~~~\nplain\n~~~\n", []string{"go", "", ""}},
		"html":         {ReadHTML, `<pre><code class="x language-rust">fn a() {}</code></pre><div class="highlight highlight-source-shell"><pre>ls</pre></div><pre>x</pre>`, []string{"rust", "shell", ""}},
		"notebook":     {ReadNotebook, notebook, []string{"python", ""}},
		"no such name": {ReadMarkdown, "```aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd\nx\n```\n", []string{""}},
	} {
		b := format.NewBuilder(format.DefaultLimits().Output)
		if err := c.read(context.Background(), b, "a", []byte(c.text), format.DefaultLimits()); err != nil {
			t.Fatal(name, err)
		}
		var got []string
		for _, block := range b.Blocks {
			if block.Kind == evidence.Code {
				got = append(got, block.Label)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
