package topics

import (
	"slices"
	"strings"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

func TestTopicsAreFrequentInTheTextAndRareInTheLibrary(t *testing.T) {
	text := "Harbour rules\n" + strings.Repeat("The harbour report says that lamps burn; a lamp needs oil. ", 5) + "once"
	doc := evidence.Document{Text: text, Blocks: []evidence.Block{{Start: 0, End: 13, Kind: evidence.Heading}, {Start: 14, End: len(text), Kind: evidence.Paragraph}}}
	words := Frequent(rank.NewTokenizer(), doc, "Oil report", ".txt")
	at := func(w string) int { return slices.IndexFunc(words, func(t Word) bool { return t.Word == w }) }
	if at("lamp") >= 0 && at("lamps") >= 0 || at("once") >= 0 || at("that") >= 0 || at("oil") >= 0 || at("harbour") < 0 {
		t.Errorf("words %v", words)
	}
	common := func(w string) int {
		if w == "report" || w == "says" || w == "burn" || w == "needs" {
			return 1000
		}
		return 1
	}
	if got := Choose(words, common, 1000); len(got) != 3 || got[0] != "harbour" || slices.Contains(got, "report") {
		t.Errorf("topics %v of %v", got, words)
	}
	if got := Frequent(rank.NewTokenizer(), evidence.Document{Text: "x 1 22 x 1 22 ab12 ab12", Blocks: []evidence.Block{{Start: -1, End: 900, Kind: evidence.Heading}}}, "1", ".md"); len(got) != 0 {
		t.Errorf("topics of characters and digits: %v", got)
	}
	long := strings.Repeat("ä", topicBytes) + " kelp kelp"
	if got := Frequent(rank.NewTokenizer(), evidence.Document{Text: long}, "1", ".md"); len(got) != 0 {
		t.Errorf("looked further than it may: %v", got)
	}
}

// TestTopicsOfEveryLanguage has a text about a lighthouse in each.
func TestTopicsOfEveryLanguage(t *testing.T) {
	for code, c := range map[string]struct{ text, want string }{
		"en": {"The lighthouse was built of granite. Every lighthouse needs a keeper, and the keeper lives there.", "lighthouse"},
		"de": {"Der Hörnerturm steht am Hafen. Über dem Hafen leuchtet der Hörnerturm, und über ihm nichts.", "hörnerturm"},
		"fr": {"La lumière du phare guide les pêcheurs. Sans lumière, les pêcheurs restent au port.", "lumière"},
		"es": {"El farero enciende la lámpara. La lámpara alumbra y el farero duerme después.", "lámpara"},
		"it": {"La lanterna di Genova è antica. La lanterna guida le navi, e la lanterna non si spegne.", "lanterna"},
		"pt": {"O farol ilumina o mar. A construção do farol e a construção do cais custaram muito.", "construção"},
		"nl": {"De vuurtoren staat op het eiland. Een vuurtoren heeft een wachter op het eiland.", "vuurtoren"},
		"pl": {"Latarnia świeci nocą. Statki widzą, że latarnia świeci, a latarnia stoi na skale.", "latarnia"},
		"sv": {"Fyrvaktaren tänder lampan. Utan fyrvaktaren är lampan släckt.", "fyrvaktaren"},
		"ru": {"Смотритель живёт на маяке. Каждый вечер смотритель зажигает лампу.", "смотритель"},
		"uk": {"Доглядач живе на маяку. Щовечора доглядач запалює лампу.", "доглядач"},
		"tr": {"Fenerin bekçisi adada yaşar. Bekçisi olmayan adada ışık yanmaz.", "bekçisi"},
		"ar": {"المنارة قديمة جدا. كل سفينة ترى المنارة في الليل.", "المنارة"},
		"hi": {"प्रकाशस्तंभ समुद्र के किनारे है। यह प्रकाशस्तंभ बहुत पुराना है।", "प्रकाशस्तंभ"},
		"zh": {"灯塔建在海边。渔民晚上看见灯塔就放心。", "灯塔"},
		"ja": {"古い灯台は港にあります。船はその灯台を見て進みます。", "灯台"},
		"ko": {"등대는 바닷가에 있다. 어부들은 밤에 등대를 본다.", "등대"},
	} {
		words := Frequent(rank.NewTokenizer(), evidence.Document{Text: c.text}, "1", ".txt")
		if got := First(words); !slices.Contains(got, c.want) {
			t.Errorf("%s: topics %q, want %q among them", code, got, c.want)
		}
	}
}
