package subject

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/quote"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func TestASentenceIsAboutWhatItNamesOrGoesOnAbout(t *testing.T) {
	passages := []quote.Passage{
		{N: 1, Title: "State of the works", Text: "Lorne Bearings, also known as Lobe, is old. Its hall was painted in 2012. Subscribe to our letter. Lobe sells axles. Oban Gears sells wheels."},
		{N: 2, Title: "Oban Gears", Text: "Oban Gears is loved. It won a prize. Unlike Lorne Bearings, it has a canteen."},
	}
	texts := []string{passages[0].Text, passages[1].Text}
	m := matterOf("Should we buy from Lorne Bearings this year?", "Lorne Bearings", texts)
	var got []string
	all, _ := quote.NewQuery(checkerForTest(t), "Lorne Bearings").Candidates(passages)
	for _, s := range all {
		if m.Covers(s, passages) {
			got = append(got, s.Text)
		}
	}
	want := []string{"Lorne Bearings, also known as Lobe, is old.", "Its hall was painted in 2012.", "Lobe sells axles.", "Unlike Lorne Bearings, it has a canteen."}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestTheFilesOfAFolderAreAboutWhatItIsCalledAfter(t *testing.T) {
	r := &Reader{Question: "Should we use Oban Gears?"}
	text := "The wheel is turned once a day. It is made of steel. Lorne Bearings sells axles. They break in winter. The obangear rusts."
	of := func(folder, title string) (got []string) {
		source := evidence.Source{Digest: folder + title, Title: title, Address: folder + "/wheels.html", Kind: evidence.File}
		passages := []quote.Passage{{N: 1, Digest: source.Digest, Title: title, Text: text}}
		r.Read([]rank.Candidate{{Source: source}}, func(evidence.Source) string { return text })
		all, _ := quote.NewQuery(checkerForTest(t), "Oban Gears").Candidates(passages)
		for _, s := range r.Only(all, passages) {
			got = append(got, s.Text)
		}
		if on := r.OnSubject([]rank.Candidate{{Source: source, Passage: evidence.Passage{Text: text}}}); (len(on) > 0) != (strings.Contains(folder, "oban")) {
			t.Errorf("%s: on the subject %d", folder, len(on))
		}
		return got
	}
	if got := of("/shelf/oban-gears/html", "The wheel"); !slices.Equal(got, []string{"The wheel is turned once a day.", "It is made of steel.", "The obangear rusts."}) {
		t.Errorf("%q", got)
	}
	if got := of("/shelf/oban-gears/html", "Lorne Bearings"); len(got) > 0 {
		t.Errorf("of another: %q", got)
	}
	if got := of("/shelf/wheels", "The wheel"); len(got) > 0 {
		t.Errorf("elsewhere: %q", got)
	}
}

func TestATopicIsTheNameThatAQuestionHas(t *testing.T) {
	for question, want := range map[string][2]string{
		"Should we make Lorne Bearings our supplier?": {"We make Lorne Bearings our supplier", "Lorne Bearings"},
		"How is rye bread baked?":                     {"rye bread", "rye bread"},

		"Sollten wir Korvat Kessel als Lieferanten wählen?":           {"", "Korvat Kessel"},
		"Welche Risiken gibt es bei Korvat Kessel und der MaxiTherm?": {"", "Korvat Kessel und MaxiTherm"},
		"Sollen wir die Korvatbahn übernehmen?":                       {"Sollen wir die Korvatbahn übernehmen", "Korvatbahn"},
		"Können wir Korvat Kessel vertrauen?":                         {"", "Korvat Kessel"},
		"Devons-nous choisir Morvan Chaudières comme fournisseur ?":   {"", "Morvan Chaudières"},
		"Pouvons-nous comparer Morvan et Dolmar ?":                    {"", "Morvan et Dolmar"},
		"¿Deberíamos elegir a Talvo Calderas como proveedor?":         {"", "Talvo Calderas"},
		"Dovremmo scegliere Ferrante Caldaie come fornitore?":         {"", "Ferrante Caldaie"},
		"Devemos escolher a Calvano Caldeiras como fornecedora?":      {"", "Calvano Caldeiras"},
		"Zouden we Dijkstra Ketels als leverancier moeten kiezen?":    {"", "Dijkstra Ketels"},
		"Powinniśmy wybrać Korwin Kotły jako dostawcę?":               {"", "Korwin Kotły"},
		"Стоит ли выбирать Корват Котлы в качестве поставщика?":       {"", "Корват Котлы"},
	} {
		if got := NamedTopic(question, want[0], true); got != want[1] {
			t.Errorf("%q is about %q", question, got)
		}
	}
	if got := NamedTopic("How many people does Lorne employ?", "Lorne employ", false); got != "Lorne" {
		t.Errorf("%q", got)
	}
	if got := NamedTopic("Who was the builder of Lorne?", "the builder of Lorne", false); got != "the builder of Lorne" {
		t.Errorf("%q", got)
	}
}

func TestAnAddressNamesNobodyAndNothingGoesOnAboutAQuestion(t *testing.T) {
	m := Matter{names: []string{"lobe"}}
	passages := []quote.Passage{{N: 1, Text: "Write to sales@lobe.example for axles. Is Lobe the right one? That depends on your load. Lobe is old. That is a risk."}}
	var got []string
	all, _ := quote.NewQuery(checkerForTest(t), "lobe").Candidates(passages)
	for _, s := range all {
		if m.Covers(s, passages) && !strings.HasSuffix(s.Text, "?") {
			got = append(got, s.Text)
		}
	}
	if want := []string{"Lobe is old.", "That is a risk."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestOtherNamesAreReadInOtherLanguages(t *testing.T) {
	for text, want := range map[string]string{
		"Oban Gears, often called Tolva, makes axles.":                         "Tolva",
		"Oban Gears (Tolva) makes axles.":                                      "Tolva",
		"Die Firma Oban Gears, kurz Tolva, wurde in Kassel gegründet.":         "Tolva",
		"L'entreprise Oban Gears, aussi appelée Tolva, a été fondée à Nantes.": "Tolva",
		"La empresa Oban Gears, conocida como Tolva, fue fundada en Vigo.":     "Tolva",
		"Die Firma Oban Gears, die Tolva baut, wurde in Kassel gegründet.":     "",
	} {
		got := aliasesOf("Oban Gears", []string{text})
		if has := slices.Contains(got, "Tolva"); has != (want != "") {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestATextIsAboutWhatItNamesAgainAndAgain(t *testing.T) {
	m := Matter{names: []string{"tolva"}}
	often := "Tolva is set up once. Queues of Tolva lie on a disk. Tolva waits. The window of Tolva is red. Tolva ends."
	for title, c := range map[string]struct {
		text string
		want bool
	}{
		"Handbook of Tolva": {"Set the port.", true},
		"Queues":            {often, true},
		"Kettle":            {often + " Kettle, Kettle, Kettle, Kettle, Kettle, Kettle.", false},
		"Ports":             {"Tolva has a port.", false},
	} {
		if got := m.isOf(title, c.text); got != c.want {
			t.Errorf("%s: %v", title, got)
		}
	}
}

func TestASentenceOfATextAboutTheMatterNeedNotNameIt(t *testing.T) {
	passages := []quote.Passage{{N: 1, Digest: "d", Title: "queues", Text: "Queues lie on a disk. Each of the queues is emptied when TCP is up again. Kettle keeps none. A disk is faster than Kettle."}}
	m := Matter{names: []string{"tolva"}, read: map[string]*reading{"d": {about: true}}, common: passages[0].Text}
	var got []string
	all, _ := quote.NewQuery(checkerForTest(t), "tolva").Candidates(passages)
	for _, s := range all {
		if m.Covers(s, passages) {
			got = append(got, s.Text)
		}
	}
	if want := []string{"Queues lie on a disk.", "Each of the queues is emptied when TCP is up again."}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func checkerForTest(t testing.TB) *cite.Checker {
	t.Helper()
	c, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	return c
}
