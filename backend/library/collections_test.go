package library_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
)

var _ answer.Namer = (*library.Library)(nil)

// shelves is a house of three folders with a word that is everywhere.
func shelves(t *testing.T) *house {
	h := newHouse(t).open()
	h.write("contracts/lease.txt", "The rent of the mill is due in May.\n")
	h.write("contracts/old/loan.txt", "The rent was lent for a year.\n")
	h.write("letters/anna.txt", "Anna asks about the rent again.\n")
	h.write("bill.txt", "No rent was paid.\n")
	h.addAll()
	return h
}

func (h *house) collect(name string, members ...string) library.Collection {
	h.t.Helper()
	for i, m := range members {
		members[i] = filepath.Join(h.docs, m)
	}
	c, err := h.Collect(h.t.Context(), name, members)
	must(h.t, err)
	return c
}

func wantCode(t *testing.T, what string, err error, code fault.Code) {
	t.Helper()
	if fault.CodeOf(err) != code {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

func TestACollectionIsAScope(t *testing.T) {
	h := shelves(t)
	c := h.collect("My papers", "contracts", "bill.txt")
	if len(c.Folders) != 1 || len(c.Files) != 1 || !strings.HasPrefix(c.ID, "col_") {
		t.Fatalf("%+v", c)
	}
	for _, name := range []string{c.ID, "My papers", "my-PAPERS", "my_papers"} {
		wantNames(t, h.findsIn("rent", contract.Scope{Collections: []string{name}}), "bill.txt", "lease.txt", "loan.txt")
	}
	wantNames(t, h.findsIn("rent", contract.Scope{Collections: []string{c.ID}, Files: []string{h.docs + "/letters/anna.txt"}}), "anna.txt", "bill.txt", "lease.txt", "loan.txt")

	m, err := h.Mentions(t.Context(), "rent", contract.Scope{Collections: []string{c.ID}})
	if must(t, err); m.Files != 3 {
		t.Errorf("%d files mention it, want 3", m.Files)
	}

	_, err = h.Uncollect(t.Context(), c.Name, []string{h.docs + "/contracts", h.docs + "/bill.txt"})
	must(t, err)
	wantNames(t, h.findsIn("rent", contract.Scope{Collections: []string{c.ID}})) // an empty one is not the whole library

	must(t, h.DropCollection(t.Context(), c.ID))
	_, err = h.Search(t.Context(), "rent", contract.Scope{Collections: []string{c.ID}}, 5)
	wantCode(t, "a collection that is gone", err, fault.NotFound)
	wantNames(t, h.finds("rent"), "anna.txt", "bill.txt", "lease.txt", "loan.txt")
}

func TestACollectionIsKeptAndFollowsItsFiles(t *testing.T) {
	h := shelves(t)
	c := h.collect("letters", "letters/anna.txt")
	h.close()
	h.open()
	must(t, os.MkdirAll(h.docs+"/away", 0o755))
	must(t, os.Rename(h.docs+"/letters/anna.txt", h.docs+"/away/anna-1911.txt"))
	must(t, h.Rescan(t.Context()))
	h.wait()
	wantNames(t, h.findsIn("rent", contract.Scope{Collections: []string{c.ID}}), "anna-1911.txt")
	list, err := h.Collections(t.Context())
	if must(t, err); len(list) != 1 || list[0].Name != "letters" || len(list[0].Files) != 1 {
		t.Errorf("%+v", list)
	}
}

func TestCollectionsTakeOnlyWhatTheyCanMean(t *testing.T) {
	h := shelves(t)
	c := h.collect("letters", "letters")
	ctx := t.Context()
	for _, name := range []string{"", "  ", "-", "a@b", `a"b`, "a/b", "col_x", "a\x00b", "a\nb", strings.Repeat("x", 61)} {
		_, err := h.MakeCollection(ctx, name, nil)
		wantCode(t, "name "+name, err, fault.InvalidRequest)
		wantCode(t, "to be made "+name, h.CanCollect(ctx, name), map[bool]fault.Code{true: fault.NotFound, false: fault.InvalidRequest}[name == "col_x"])
	}
	_, err := h.MakeCollection(ctx, "LETTERS", nil)
	wantCode(t, "a name that is taken", err, fault.InvalidRequest)
	_, err = h.Collect(ctx, "letters", []string{"/nowhere/at/all"})
	wantCode(t, "a path that is not in the library", err, fault.NotFound)
	_, err = h.Uncollect(ctx, "letters", []string{h.docs + "/bill.txt"})
	wantCode(t, "what is not in it", err, fault.NotFound)
	other := h.collect("bills", "bill.txt")
	_, err = h.ChangeCollection(ctx, other.ID, "Letters", nil)
	wantCode(t, "another one's name", err, fault.InvalidRequest)

	changed, err := h.ChangeCollection(ctx, c.ID, "Post", nil)
	if must(t, err); changed.Name != "Post" || !slices.Equal(changed.Folders, c.Folders) {
		t.Errorf("%+v", changed)
	}
	changed, err = h.ChangeCollection(ctx, c.ID, "", []string{h.docs + "/bill.txt"})
	if must(t, err); changed.Name != "Post" || len(changed.Folders) != 0 || !slices.Equal(changed.Files, other.Files) {
		t.Errorf("%+v", changed)
	}
	_, err = h.Collection(ctx, "pots")
	if f := fault.Of(err); f.Code != fault.NotFound || !strings.Contains(f.Hint, "Did you mean “Post”?") {
		t.Errorf("%+v", f)
	}
	if _, err = h.Collection(ctx, "zebra"); !strings.Contains(fault.Of(err).Hint, "“Post”, “bills”") {
		t.Errorf("%+v", fault.Of(err))
	}
}

func TestNamesInAQuestionRestrictIt(t *testing.T) {
	h := shelves(t)
	papers := h.collect("My papers", "contracts", "bill.txt")
	letters := h.collect("letters", "letters")
	found, _, err := h.Files(t.Context(), library.FileQuery{Q: "anna.txt"})
	must(t, err)
	anna := found[0].ID
	for _, c := range []struct {
		asked, left string
		want        contract.Scope
	}{
		{"@letters What is the rent?", "What is the rent?", contract.Scope{Collections: []string{letters.ID}}},
		{"What is the rent in @my-papers?", "What is the rent?", contract.Scope{Collections: []string{papers.ID}}},
		{`How many files in @"My papers" mention rent`, "How many files mention rent", contract.Scope{Collections: []string{papers.ID}}},
		{"Compare @letters and @My-Papers.", "Compare letters and My-Papers.", contract.Scope{Collections: []string{letters.ID, papers.ID}}},
		{"Was steht in @letters zur Miete?", "Was steht zur Miete?", contract.Scope{Collections: []string{letters.ID}}},
		{"Cosa si dice secondo @letters dell'affitto?", "Cosa si dice dell'affitto?", contract.Scope{Collections: []string{letters.ID}}},
		{"Ile wynosi czynsz według @letters?", "Ile wynosi czynsz?", contract.Scope{Collections: []string{letters.ID}}},
		{"Сколько стоит аренда согласно @letters?", "Сколько стоит аренда?", contract.Scope{Collections: []string{letters.ID}}},
		{"Wat is het verschil tussen @letters en @my-papers?", "Wat is het verschil tussen letters en my-papers?", contract.Scope{Collections: []string{letters.ID, papers.ID}}},
		{"What does @anna.txt ask?", "What does anna.txt ask?", contract.Scope{Files: []string{anna}}},
		{"What does @anna ask? Tell.", "What does anna ask? Tell.", contract.Scope{Files: []string{anna}}},
		{"rent, from @old", "rent,", contract.Scope{Folders: []string{h.docs + "/contracts/old"}}},
		{"What is the rent @letters?", "What is the rent?", contract.Scope{Collections: []string{letters.ID}}},
		{"@letters", "letters", contract.Scope{Collections: []string{letters.ID}}},
		{"write to me@letters.example now", "write to me@letters.example now", contract.Scope{}},
		{"no names", "no names", contract.Scope{}},
	} {
		n, err := h.Named(t.Context(), c.asked, contract.Scope{})
		must(t, err)
		if n.Text != c.left || len(n.Unknown)+len(n.Empty) != 0 {
			t.Errorf("%q leaves %q, want %q; %+v", c.asked, n.Text, c.left, n.Unknown)
		}
		if !sameScope(n.Ticked, c.want) {
			t.Errorf("%q ticks %+v, want %+v", c.asked, n.Ticked, c.want)
		}
	}
}

func sameScope(a, b evidence.Scope) bool {
	return slices.Equal(a.Files, b.Files) && slices.Equal(a.Folders, b.Folders) && slices.Equal(a.Collections, b.Collections)
}

func TestNamesOfNothingAreTold(t *testing.T) {
	h := shelves(t)
	h.collect("letters", "letters")
	h.collect("void")
	n, err := h.Named(t.Context(), "@leters and @void: what does @elonmusk say?", contract.Scope{})
	must(t, err)
	if len(n.Unknown) != 2 || n.Unknown[0].Name != "leters" || n.Unknown[0].Hint != "Did you mean “letters”?" || n.Unknown[1].Name != "elonmusk" {
		t.Errorf("%+v", n.Unknown)
	}
	if !slices.Equal(n.Empty, []string{"void"}) || n.Text != "@leters and void: what does @elonmusk say?" || n.Scope.Empty() {
		t.Errorf("%+v", n)
	}
	_, err = h.Named(t.Context(), "rent", contract.Scope{Collections: []string{"nothing"}})
	wantCode(t, "an unknown collection that was ticked", err, fault.NotFound)
}

func FuzzNamed(f *testing.F) {
	for _, seed := range []string{"@a", "@letters what", "a @letters b", `@"x y" z`, "in @letters.", "@@letters", "(@letters)", "@“q”", "@ä-ö_ü."} {
		f.Add(seed)
	}
	h := newHouse(f).open()
	_, err := h.MakeCollection(f.Context(), "letters", nil)
	must(f, err)
	f.Fuzz(func(t *testing.T, question string) {
		n, err := h.Named(t.Context(), question, contract.Scope{})
		if err != nil {
			t.Fatal(err)
		}
		if len(n.Ticked.Collections) == 0 && n.Text != question {
			t.Errorf("%q became %q for nothing", question, n.Text)
		}
		if strings.TrimSpace(question) != "" && strings.TrimSpace(n.Text) == "" {
			t.Errorf("%q became empty", question)
		}
	})
}
