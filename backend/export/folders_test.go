package export

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestWhatIsTakenAwayNamesNoFolder(t *testing.T) {
	type scope struct {
		Files   []string `json:"files"`
		Folders []string `json:"folders"`
	}
	type taken struct {
		Path    string `json:"path"`
		Address string `json:"address"`
		Answer  string `json:"answer"`
		Scope   scope  `json:"scope"`

		AlsoIn []string `json:"also_in"`
	}
	for _, c := range []struct{ in, want taken }{
		{taken{"/home/ann/Docs/a & b [1].pdf", "https://example.org/home/ann", `See "path": "/home/ann/x".`, scope{[]string{"f_12", "/home/ann/b].md"}, []string{"/home/ann/Docs/"}}, []string{"/home/ann/copies/a.pdf"}},
			taken{"a & b [1].pdf", "https://example.org/home/ann", `See "path": "/home/ann/x".`, scope{[]string{"f_12", "b].md"}, []string{"Docs"}}, []string{"a.pdf"}}},
		{taken{`C:\Users\Ann\a.pdf`, `\\server\share\b.pdf`, "", scope{}, nil}, taken{"a.pdf", "b.pdf", "", scope{}, nil}},
	} {
		for _, indent := range []string{"", "  "} {
			in, err := json.MarshalIndent(c.in, "", indent)
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.MarshalIndent(c.want, "", indent)
			if err != nil {
				t.Fatal(err)
			}
			if got := WithoutFolders(in); !bytes.Equal(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
}
