package hostile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
)

// JSON are texts that are small and would be large.
func JSON() map[string]string {
	const n = 1_500_000
	return map[string]string{
		"objects": "[" + strings.Repeat("{},", n) + "{}]", "lists": "[" + strings.Repeat("[],", n) + "[]]", "nothing": "[" + strings.Repeat("null,", n) + "null]",
		"texts": "[" + strings.Repeat(`"",`, n) + `""]`, "members": "{" + strings.Repeat(`"a":1,`, n) + `"a":1}`, "depth": strings.Repeat("[", n), "numbers": "[" + strings.Repeat("1,", 3*n) + "1]",
		"in a member": `{"results":[` + strings.Repeat("{},", n) + `{}]}`, "one a line": strings.Repeat("{}\n", n), "pairs": "[" + strings.Repeat(`{"a":{}},`, n) + "0]",
	}
}

// XML are feeds that are small and would be large.
func XML() map[string]string {
	const n = 600_000
	entry := "<entry><id>https://a.example/</id><title>"
	return map[string]string{
		"entries": `<feed xmlns="http://www.w3.org/2005/Atom">` + strings.Repeat("<entry/>", n) + "</feed>", "depth": strings.Repeat("<feed>", n), "attributes": "<feed " + strings.Repeat(`a="" `, n) + "/>",
		"entities":  `<!DOCTYPE feed [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><feed>` + entry + strings.Repeat("&c;", n/6) + "</title></entry></feed>",
		"one title": "<feed>" + entry + strings.Repeat("word ", n) + "</title></entry></feed>", "articles": "<PubmedArticleSet>" + strings.Repeat("<PubmedArticle><a/></PubmedArticle>", n/6) + "</PubmedArticleSet>",
	}
}

// Bundles are archives that are small and would be large.
func Bundles() map[string][]byte {
	all := map[string][]byte{"no archive": []byte("PK\x05\x06"), "zeros": archive(1, "report.md", strings.Repeat("\x00", 70<<20)), "many files": archive(20_001, "texts/%064x.json", "")}
	for name, text := range JSON() {
		all["manifest of "+name] = archive(1, "manifest.json", text)
	}
	return all
}

func archive(n int, name, body string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range n {
		at := name
		if n > 1 {
			at = fmt.Sprintf(name, i)
		}
		w, err := z.Create(at)
		if err == nil {
			_, err = w.Write([]byte(body))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
