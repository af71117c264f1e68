package command

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

func TestALinkShowsAPlaceAndDoesNothing(t *testing.T) {
	thread, run, source, passage := "thr_"+strings.Repeat("a", 16), "run_"+strings.Repeat("b", 16), "src_"+strings.Repeat("c", 16), "psg_"+strings.Repeat("d", 16)
	for link, want := range map[string]string{
		"footnote://":                                            "/#/",
		"footnote://library/":                                    "/#/library",
		"FOOTNOTE://Ask?q=how+high%3F":                           "/?q=how+high%3F",
		"footnote://ask?q=a%27%29%3Balert(1)%2F%2F":              "/?q=a%27%29%3Balert%281%29%2F%2F",
		"footnote://thread/" + thread:                            "/#/thread/" + thread,
		"footnote://thread/" + thread + "?note=3&run=" + run:     "/#/thread/" + thread + "?note=3&run=" + run,
		"footnote://thread/" + thread + "?note=-1&run=' onload=": "/#/thread/" + thread,
		"footnote://source/" + source + "#" + passage:            "/#/library?passage=" + passage,
	} {
		if got, ok := linkedPlace(link); !ok || got != want {
			t.Errorf("%s goes to %q, %v; want %q", link, got, ok, want)
		}
	}
	for _, link := range []string{
		"footnote://settings", "footnote://thread/../../etc", "footnote://thread/src_" + strings.Repeat("a", 16), "footnote://source/" + source,
		"footnote://ask/now?q=x", "footnote://%zz", "footnote://ask?q=" + strings.Repeat("x", 9000), "footnote://thread/" + thread + "/delete",
	} {
		if got, ok := linkedPlace(link); ok {
			t.Errorf("%s goes to %q; want it refused", link, got)
		}
	}
}

func TestALinkIsNotTakenForAFile(t *testing.T) {
	o, err := openingOf("/home/ann", []string{"Notes", "footnote://library", "/tmp/a.pdf", "file:///home/ann/Tide%20table.pdf", "file://elsewhere/a.pdf"})
	want := []string{"/home/ann/Notes", "/tmp/a.pdf", "/home/ann/Tide table.pdf", "/home/ann/file:/elsewhere/a.pdf"}
	if err != nil || o.Place != "/#/library" || !slices.Equal(o.Paths, want) {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := openingOf("/", []string{"footnote://delete/everything"}); codeOf(err) != int(exitUsage) {
		t.Errorf("an unknown link ends with %v", err)
	}
}

// FuzzLink holds that a link, which any page may bring, goes to a place of the page
// and to nothing else.
func FuzzLink(f *testing.F) {
	for _, link := range []string{"footnote://ask?q=how", "footnote://box", "footnote://thread/thr_aaaaaaaaaaaaaaaa?note=3&run=run_bbbbbbbbbbbbbbbb", "footnote://source/src_cccccccccccccccc#psg_dddddddddddddddd", "FOOTNOTE://library/", "file:///tmp/a%20b"} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, link string) {
		o, err := openingOf("/home/ann", []string{link})
		if err != nil || o.Place == "" {
			return
		}
		u, err := url.Parse(o.Place)
		if err != nil || u.Scheme != "" || u.Host != "" || u.Path != "/" || len(o.Paths) > 0 || strings.ContainsAny(o.Place, " \t\r\n'\"<>\\") {
			t.Errorf("%q goes to %q", link, o.Place)
		}
	})
}
