package rank

import (
	"strings"
	"testing"
)

// padding makes a pair of sentences a small part of two long texts.
var padding = strings.Repeat("bron stena lumo karet vidu palo merin tosca grelu fando ", 3) +
	"alfa beto ceder dolmen erizo fiskal gorod hektar iglu jaspe kivi limon matras nomad opal pilot rubin salon tundra urna vagon xenon yoga zebra"

func TestTextsThatSayTheOppositeAreNoTwins(t *testing.T) {
	for name, pair := range map[string][2]string{
		"en not":    {"The drug is safe for children.", "The drug is not safe for children."},
		"en n't":    {"The bridge was closed and isn't open.", "The bridge was closed and is open."},
		"en no":     {"There is no limit for members.", "There is a limit for members."},
		"en number": {"Members pay 22 cents a mile.", "Members pay 34 cents a mile."},
		"en word":   {"The crew has seven sailors.", "The crew has nine sailors."},
		"en name":   {"The prize went to Anna Vold in spring.", "The prize went to Berta Vold in spring."},
		"de not":    {"Die Brücke ist für Lastwagen frei.", "Die Brücke ist für Lastwagen nicht frei."},
		"de kein":   {"Es gibt eine Gebühr für Gäste.", "Es gibt keine Gebühr für Gäste."},
		"de number": {"Die Frist beträgt 14 Tage für Kunden.", "Die Frist beträgt 30 Tage für Kunden."},
		"fr pas":    {"Le musée est ouvert le lundi.", "Le musée n'est pas ouvert le lundi."},
		"fr name":   {"La réunion aura lieu à Lyon.", "La réunion aura lieu à Nantes."},
		"es no":     {"El contrato se renueva cada año.", "El contrato no se renueva cada año."},
		"es sin":    {"El envío es con coste para socios.", "El envío es sin coste para socios."},
		"ru не":     {"Договор продлевается на год.", "Договор не продлевается на год."},
		"ar لا":     {"يسمح بدخول الزوار إلى المبنى.", "لا يسمح بدخول الزوار إلى المبنى."},
		"zh 不":      {"这种药对儿童安全。", "这种药对儿童不安全。"},
		"ja ません":    {"この橋は通れます。", "この橋は通れません。"},
		"ko 않다":     {"이 다리는 안전하다.", "이 다리는 안전하지 않다."},
	} {
		a, b := pair[0]+" "+padding, pair[1]+" "+padding
		if kept := DedupAbove([]Candidate{web("a", "", a), web("b", "", b)}, 0.8); len(kept) != 2 {
			t.Errorf("%s: %q hides %q", name, pair[0], pair[1])
		}
		if first := Twins([]string{a, b}); first[1] == 0 {
			t.Errorf("%s: %q and %q are twins", name, pair[0], pair[1])
		}
		copied := strings.Replace(a, "tundra", "tundras", 1)
		if kept := DedupAbove([]Candidate{web("a", "", a), web("b", "", copied)}, 0.8); len(kept) != 1 {
			t.Errorf("%s: a copy of %q with another word stays", name, pair[0])
		}
	}
}
