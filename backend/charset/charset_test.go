package charset

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	wideunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/unicode/norm"
)

// written are the sets that texts are tried in, with languages they are used for.
var written = []struct {
	name  string
	enc   encoding.Encoding
	langs []string
}{
	{"windows-1250", charmap.Windows1250, []string{"pl", "cs", "hu"}},
	{"windows-1251", charmap.Windows1251, []string{"ru", "uk", "bg"}},
	{"windows-1252", charmap.Windows1252, []string{"de", "fr", "es", "en"}},
	{"windows-1253", charmap.Windows1253, []string{"el"}},
	{"windows-1254", charmap.Windows1254, []string{"tr"}},
	{"windows-1255", charmap.Windows1255, []string{"he"}},
	{"windows-1256", charmap.Windows1256, []string{"ar"}},
	{"windows-1257", charmap.Windows1257, []string{"lt", "lv"}},
	{"windows-1258", charmap.Windows1258, []string{"vi"}},
	{"windows-874", charmap.Windows874, []string{"th"}},
	{"iso-8859-2", charmap.ISO8859_2, []string{"pl", "cs", "hu"}},
	{"iso-8859-5", charmap.ISO8859_5, []string{"ru", "bg"}},
	{"iso-8859-6", charmap.ISO8859_6, []string{"ar"}},
	{"iso-8859-7", charmap.ISO8859_7, []string{"el"}},
	{"iso-8859-9", charmap.ISO8859_9, []string{"tr"}},
	{"iso-8859-15", charmap.ISO8859_15, []string{"de", "fr", "es"}},
	{"koi8-r", charmap.KOI8R, []string{"ru"}},
	{"koi8-u", charmap.KOI8U, []string{"uk"}},
	{"cp437", charmap.CodePage437, []string{"de", "fr", "es"}},
	{"cp850", charmap.CodePage850, []string{"de", "fr", "es"}},
	{"cp852", charmap.CodePage852, []string{"pl", "cs", "hu"}},
	{"cp866", charmap.CodePage866, []string{"ru", "bg"}},
	{"macintosh", charmap.Macintosh, []string{"de", "fr", "es", "en"}},
	{"x-mac-cyrillic", charmap.MacintoshCyrillic, []string{"ru"}},
	{"utf-16le", wideunicode.UTF16(wideunicode.LittleEndian, wideunicode.IgnoreBOM), []string{"de", "ru", "el", "ar"}},
	{"utf-16be", wideunicode.UTF16(wideunicode.BigEndian, wideunicode.IgnoreBOM), []string{"de", "ru", "he"}},
	{"shift_jis", japanese.ShiftJIS, []string{"ja"}},
	{"euc-jp", japanese.EUCJP, []string{"ja"}},
	{"iso-2022-jp", japanese.ISO2022JP, []string{"ja"}},
	{"gb18030", simplifiedchinese.GB18030, []string{"zh"}},
	{"hz-gb-2312", simplifiedchinese.HZGB2312, []string{"zh"}},
	{"big5", traditionalchinese.Big5, []string{"zht"}},
	{"euc-kr", korean.EUCKR, []string{"ko"}},
}

// TestTextsOfEverySet writes texts that no model was made of in each set.
func TestTextsOfEverySet(t *testing.T) {
	texts := textsByLanguage(t, "testdata/texts.tsv")
	right, doubtful, wrong := 0, 0, 0
	for _, w := range written {
		for _, text := range textsOf(texts, w.langs) {
			data, ok := encode(w.enc, text)
			if !ok {
				continue
			}
			switch r := Decode([]byte(data), ""); {
			case r.Text == text && !r.Doubtful:
				right++
			case r.Doubtful:
				doubtful++
				t.Logf("doubtful %s, right %v, read as %s: %.60q", w.name, r.Text == text, r.Charset, r.Text)
			default:
				wrong++
				t.Errorf("%s read as %s: %.80q of %.80q", w.name, r.Charset, r.Text, text)
			}
		}
	}
	t.Logf("right %d, doubtful %d, wrong %d", right, doubtful, wrong)
	if all := right + doubtful + wrong; all < 3*24 || doubtful*20 > all {
		t.Errorf("%d of %d are said to be doubtful", doubtful, all)
	}
}

func TestWhatCannotBeToldIsDoubtful(t *testing.T) {
	for _, raw := range []string{
		"x \xe9 y", // one letter of many sets
		"\x80\x85\x91\xa2 \xd7\xe0\xb3\xff\xa1 \xc5\x9f\x81", // no text
		"id,\xf0\n7,ok\n",
	} {
		if r := Decode([]byte(raw), ""); !r.Doubtful {
			t.Errorf("%q is said to be %s for certain: %q", raw, r.Charset, r.Text)
		}
	}
}

func TestWhatIsDeclaredOrPlainIsNoGuess(t *testing.T) {
	for raw, want := range map[string]Reading{
		"caf\xe9":                   {"café", "iso-8859-1", false},
		"\xef\xbb\xbfa":             {"a", "utf-8", false},
		"plain words ~{ and braces": {"plain words ~{ and braces", "utf-8", false},
		"gr\xc3\xbc\xc3\x9fe \xff \xc3\xa9\xc3\xa9": {"grüße \xff éé", "utf-8", false},
	} {
		if got := Decode([]byte(raw), "ISO-8859-1"); got != want {
			t.Errorf("%q: got %+v, want %+v", raw, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"caf\xe9", "\x1b$B", "~{<:Ky2;~}", "\xff\xfea\x00", "\x81\x30\x81\x30"} {
		f.Add([]byte(seed), "")
	}
	f.Fuzz(func(t *testing.T, data []byte, declared string) {
		if r := Decode(data, declared); r.Charset == "" {
			t.Errorf("%q has no set: %+v", data, r)
		}
	})
}

// encode writes a text in a set; the tones of vowels go behind them for the set
// that has no other way.
func encode(e encoding.Encoding, text string) (string, bool) {
	if e == charmap.Windows1258 {
		var out strings.Builder
		for _, r := range text {
			if _, err := e.NewEncoder().String(string(r)); err == nil {
				out.WriteRune(r)
				continue
			}
			parts := []rune(norm.NFD.String(string(r)))
			for len(parts) > 2 { // the vowel with its own mark stays one character
				parts = append([]rune(norm.NFC.String(string([]rune{parts[0], parts[len(parts)-1]}))), parts[1:len(parts)-1]...)
			}
			for _, p := range parts {
				out.WriteRune(p)
			}
		}
		text = out.String()
	}
	data, err := e.NewEncoder().String(text)
	return data, err == nil
}

func textsOf(all map[string][]string, langs []string) (texts []string) {
	for _, code := range langs {
		texts = append(texts, all[code]...)
	}
	return texts
}

func textsByLanguage(t testing.TB, path string) map[string][]string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string][]string{}
	for line := range strings.Lines(string(raw)) {
		code, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Fatalf("no line of texts: %q", line)
		}
		texts[code] = append(texts[code], norm.NFC.String(text))
	}
	return texts
}
