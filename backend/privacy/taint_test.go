package privacy_test

import (
	"strings"
	"testing"

	"footnote/backend/privacy"
)

const diary = "Dr Ilse Hoffmann told me on 14 February 2019 that the lump is benign. I cried in the car park.\n" +
	"Account 4417 8822 0193, IBAN DE44 5001 0517 5407 3249 31. The words are amber falcon river seven. I owe € 48,250.00. Code QX7-99Z-41K. 住所は桜町三丁目です。"

func TestWhatStandsOnlyInFilesStays(t *testing.T) {
	cases := []struct{ wrote, query, kept string }{
		{"How high is the tower of Marn?", "height tower Marn", "height tower Marn"},
		{"How high is the tower of Marn?", "height tower Marn 441788220193", "height tower Marn"},
		{"How high is the tower of Marn?", "tower Marn 4417-8822-0193", "tower Marn"},
		{"How high is the tower of Marn?", "tower 4 4 1 7 8 8 2 2", "tower"},
		{"How high is the tower of Marn?", "tower 3910", "tower"}, // backwards
		{"How high is the tower of Marn?", "tower DE44500105175407324931", "tower"},
		{"How high is the tower of Marn?", "tower amber falcon river seven", "tower"},
		{"How high is the tower of Marn?", "tower amberfalcon river-seven", "tower"},
		{"How high is the tower of Marn?", "tower a m b e r f a l c o n", "tower a m b e r f a l c o n"[:5]},
		{"How high is the tower of Marn?", "Hoffmann tower", "tower"},
		{"How high is the tower of Marn?", `"Ilse Hoffmann" tower site:hoffmann.example`, "tower"},
		{"How high is the tower of Marn?", "cried car park", ""},
		{"How high is the tower of Marn?", "I was told that the lump is benign", ""},
		{"How high is the tower of Marn?", "tower 48250", "tower"},
		{"How high is the tower of Marn?", "tower 2019-02-14", "tower"},
		{"How high is the tower of Marn?", "tower qx799z41k", "tower"},
		{"How high is the tower of Marn?", "tower ＡＭＢＥＲ fálcon", "tower"},
		{"How high is the tower of Marn?", "tower 桜町", "tower"},
		{"How high is the tower of Marn?", "lighthouse keepers", "lighthouse keepers"}, // in no file
		{"Who is Ilse Hoffmann?", "Ilse Hoffmann doctor", "Ilse Hoffmann doctor"},
		{"What does account 4417 8822 0193 mean?", "account 441788220193", "account 441788220193"},
		{"Is a benign lump dangerous?", "benign lump dangerous", "benign lump dangerous"},
		{"Sind Autos im Parkhaus sicher?", "parkhaus sicherheit", "parkhaus sicherheit"},
	}
	for _, c := range cases {
		taint := privacy.NewTaint()
		taint.Wrote(c.wrote)
		taint.Read(diary)
		if kept, held := taint.Query(c.query); kept != c.kept {
			t.Errorf("%q: %q leaves, %q stays; %q should leave", c.query, kept, held, c.kept)
		}
	}
}

func TestWithoutFilesEveryQueryLeavesAsItIs(t *testing.T) {
	taint := privacy.NewTaint()
	taint.Wrote("Who built it?")
	const query = `"amber falcon"  441788220193`
	if kept, held := taint.Query(query); kept != query || len(held) > 0 || taint.HasHeld() {
		t.Errorf("%q leaves, %q stays", kept, held)
	}
}

func TestWordsOfSearchesAreKeptBackInTheOrderOfAFile(t *testing.T) {
	taint := privacy.NewTaint()
	taint.Wrote("How high is the tower?")
	taint.Read("The phrase is: history length river price population.")
	if kept, _ := taint.Query("tower history"); kept != "tower history" {
		t.Errorf("one word: %q", kept)
	}
	if kept, _ := taint.Query("tower price population"); kept != "tower" {
		t.Errorf("two in a row: %q", kept)
	}
}

func TestAnAddressIsFetchedAsItWasBrought(t *testing.T) {
	taint := privacy.NewTaint()
	taint.Brought("https://example.org/a", "https://example.org/b?id=7&utm_source=feed")
	for asked, stored := range map[string]string{
		"https://example.org/a": "https://example.org/a", "https://example.org/a?utm_source=SECRET": "https://example.org/a", "HTTPS://EXAMPLE.org/a/#SECRET": "https://example.org/a",
		"https://example.org/b?id=7": "https://example.org/b?id=7&utm_source=feed", "https://example.org/a?id=SECRET": "", "https://example.org/SECRET": "",
	} {
		if got, known := taint.Address(asked); got != stored || known != (stored != "") {
			t.Errorf("%s: %q, %v", asked, got, known)
		}
	}
}

func FuzzAQueryThatLeftLeavesAgainAsItIs(f *testing.F) {
	f.Add("tower amber falcon", diary, "How high is the tower?")
	f.Add("桜町 tower \xff", "桜町三丁目", "tower")
	f.Fuzz(func(t *testing.T, query, file, wrote string) {
		taint := privacy.NewTaint()
		taint.Wrote(wrote)
		taint.Read(file)
		kept, held := taint.Query(query)
		if again, more := taint.Query(kept); again != kept || len(more) > 0 {
			t.Errorf("%q → %q (%q) → %q (%q)", query, kept, held, again, more)
		}
		if len(held) == 0 && kept != query || strings.Count(kept, "") > strings.Count(query, "") {
			t.Errorf("%q → %q, held %q", query, kept, held)
		}
	})
}
