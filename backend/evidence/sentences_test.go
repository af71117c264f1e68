package evidence

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func cutSentences(text string) []string {
	var out []string
	for _, s := range Sentences(text) {
		out = append(out, text[s.Start:s.End])
	}
	return out
}

func TestSentencesEndWhereAReaderSaysSo(t *testing.T) {
	long := strings.Repeat("word ", 40) + "clause; " + strings.Repeat("more ", 30) + "end."
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"capital":       {"One here. Two there! Three?", []string{"One here.", "Two there!", "Three?"}},
		"abbreviation":  {"Dr. Smith met Prof. Jones. They left.", []string{"Dr. Smith met Prof. Jones.", "They left."}},
		"in brackets":   {"Es hängt vom Konto ab (vgl. Abschnitt 5, Kontoarten). Dies hilft.", []string{"Es hängt vom Konto ab (vgl. Abschnitt 5, Kontoarten).", "Dies hilft."}},
		"dotted":        {"The U.S. Army came at 5 p.m. Monday. It left.", []string{"The U.S. Army came at 5 p.m. Monday.", "It left."}},
		"initial":       {"J. K. Rowling wrote. She did.", []string{"J. K. Rowling wrote.", "She did."}},
		"pronoun I":     {"So did I. Then we left.", []string{"So did I.", "Then we left."}},
		"decimal":       {"It rose 3.5 percent. 4 more followed.", []string{"It rose 3.5 percent.", "4 more followed."}},
		"lower case":    {"see www. example and on. and on", []string{"see www. example and on. and on"}},
		"closing quote": {"He said “Go.” She went. (Really.) Yes.", []string{"He said “Go.”", "She went.", "(Really.)", "Yes."}},
		"lines":         {"Net sales\nTotal 5\r\n\nEnd", []string{"Net sales", "Total 5", "End"}},
		"references":    {"It opened.[12][n 8] She came.[a] Ten.[see below] No", []string{"It opened.[12][n 8]", "She came.[a]", "Ten.[see below] No"}},
		"wrapped":       {"The tower that stands on the rock above the\nsea is high, and those who want to climb it,\r\n  “go” in\npairs", []string{"The tower that stands on the rock above the\nsea is high, and those who want to climb it,\r\n  “go” in", "pairs"}},
		"full lines":    {"The tower that stands on the rock above the sea:\nbread\nand a second line of the list, as long as a line\nButter", []string{"The tower that stands on the rock above the sea:", "bread", "and a second line of the list, as long as a line", "Butter"}},
		"begun late":    {"The harbour is closed in the winter months. In this case it\nis also possible to moor at the old quay in the town.", []string{"The harbour is closed in the winter months.", "In this case it\nis also possible to moor at the old quay in the town."}},
		"Chinese":       {"我来了。你好吗？「好。」他说", []string{"我来了。", "你好吗？", "「好。」", "他说"}},
		"Arabic":        {"هل جاء؟ نعم جاء.", []string{"هل جاء؟", "نعم جاء."}},
		"long clause":   {long, []string{strings.Repeat("word ", 40) + "clause;", strings.Repeat("more ", 30) + "end."}},
		"German dates":  {"Er kam am 18. Juli an. Es war im 19. Jahrhundert. Sie blieb bis 12. Der Rest ging.", []string{"Er kam am 18. Juli an.", "Es war im 19. Jahrhundert.", "Sie blieb bis 12.", "Der Rest ging."}},
		"end in number": {"She was 18. July came. It cost 12. The rest was free. In room 5. Berlin won.", []string{"She was 18.", "July came.", "It cost 12.", "The rest was free.", "In room 5.", "Berlin won."}},
		"numbered":      {"Das steht in § 3 Abs. 2 und in § 4 Nr. 7 auf S. 12 des Gesetzes. Der Rest gilt.", []string{"Das steht in § 3 Abs. 2 und in § 4 Nr. 7 auf S. 12 des Gesetzes.", "Der Rest gilt."}},
		"numbered here": {"Это описано в книге и показано на рис. 5 и на стр. 12. Читайте дальше.", []string{"Это описано в книге и показано на рис. 5 и на стр. 12.", "Читайте дальше."}},
		"not numbered":  {"She studied art in the city and she loved it. 5 people came to see her there.", []string{"She studied art in the city and she loved it.", "5 people came to see her there."}},
		"blank":         {" \n\t ", nil},
	} {
		if got := cutSentences(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func FuzzSentences(f *testing.F) {
	for _, seed := range []string{"One. Two.", "a.b.c. D", "。。\n", "\xff. \xfe! A", strings.Repeat("x, ", 200)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, s := range Sentences(text) {
			if s.Start < end || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("span %v after %d of %d bytes", s, end, len(text))
			}
			if utf8.ValidString(text) && !utf8.ValidString(text[s.Start:s.End]) {
				t.Fatalf("span %v cuts a character", s)
			}
			end = s.End
		}
	})
}
