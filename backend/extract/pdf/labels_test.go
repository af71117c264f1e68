package pdf

import (
	"context"
	"slices"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

// labelled is a PDF of as many pages as words, with a tree of page labels.
func labelled(tree string, words ...string) string {
	var pages []string
	for _, word := range words {
		pages = append(pages, formattest.At("F1", 10, 72, 700, "On this page stands "+word+" and nothing else."))
	}
	return strings.Replace(string(formattest.PDFOf(pages...)), "/Catalog", "/Catalog/PageLabels "+tree, 1)
}

func labelsOf(doc evidence.Document) (labels []string) {
	for _, b := range doc.Blocks {
		labels = append(labels, b.Label)
	}
	return labels
}

func TestPagesHaveTheNumbersPrintedOnThem(t *testing.T) {
	for tree, want := range map[string][]string{
		"<</Nums[0<</S/r>>2<</S/D/St 127>>4<</S/A/P(A-)>>]>>":                              {"i", "ii", "127", "128", "A-A"},
		"<</Kids[<</Limits[0 1]/Nums[0<</S/R/St 4>>]>><</Limits[2 9]/Nums[2<</S/D>>]>>]>>": {"IV", "V", "1", "2", "3"},
		"<</Nums[1<</S/a/St 27>>3<</P(Cover)>>]>>":                                         {"", "aa", "bb", "Cover", "Cover"},
		"<</Nums[0<</S/D>>]>>":           {"", "", "", "", ""}, // as they are counted anyway
		"<</Nums[0 17 2(x) 3]>>":         {"", "", "", "", ""},
		"<</Nums[-4<</S/D>>9<</S/r>>]>>": {"5", "6", "7", "8", "9"},
		"1 0 R":                          {"", "", "", "", ""},
	} {
		doc := extractString(t, "a.pdf", labelled(tree, "one", "two", "three", "four", "five"))
		if got := labelsOf(doc); !slices.Equal(got, want) {
			t.Errorf("%s: %q", tree, got)
		}
	}
}

func TestPassagesAndQuotesSayThePrintedNumber(t *testing.T) {
	doc := extractString(t, "a.pdf", labelled("<</Nums[0<</S/r>>1<</S/D/St 127>>]>>", "one", "two"))
	at := strings.Index(doc.Text, "two")
	if got := evidence.PlaceAt(doc, at); got != "p. 127" {
		t.Errorf("the place is %q", got)
	}
	if at := evidence.Split(doc, evidence.SplitOptions{})[0].At; at.Page != 1 || at.Place != "p. i" {
		t.Errorf("the passage stands at %+v", at)
	}
}

func TestATreeOfLabelsThatContainsItselfEnds(t *testing.T) {
	pdf := strings.Replace(labelled("9 0 R", "one"), "trailer", "9 0 obj\n<</Kids[9 0 R 9 0 R]>>\nendobj\ntrailer", 1)
	if doc := extractString(t, "a.pdf", pdf); len(doc.Blocks) == 0 {
		t.Error("nothing was read")
	}
}

func TestPDFiumTellsPrintedNumbers(t *testing.T) {
	if !HasPDFium {
		t.Skip("needs a build with the tag pdfium")
	}
	p, err := openPDFium(context.Background(), []byte(labelled("<</Nums[0<</S/r/St 12>>]>>", "one")), format.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	if text, err := p.text(context.Background(), 0); err != nil || text.label != "xii" {
		t.Errorf("the page is called %q: %v", text.label, err)
	}
}
