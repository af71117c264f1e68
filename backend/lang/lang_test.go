package lang_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/lang"
)

func TestEveryTableIsWhole(t *testing.T) {
	for _, code := range lang.Codes() {
		if !code.Known() {
			t.Errorf("%s has no table", code)
		}
		for p, least := range map[lang.Phrase]int{lang.Greeting: 8, lang.Goodbye: 7, lang.Thanks: 6, lang.Yes: 3, lang.No: 3} {
			if n := len(lang.Phrases(code, p)); n < least {
				t.Errorf("%s: %d forms of %s", code, n, p)
			}
		}
	}
	if lang.Code("xx").Known() {
		t.Error("xx has a table")
	}
}

// said is one case of everything for a language.
type said struct {
	text               string // asks for a time
	person, count, why string
	function, negation string
	month, weekday     string // March, Sunday
	number             string
	value              int64
	unit, symbol       string
	abbreviation       string
	greeting           string
}

var cases = map[lang.Code]said{
	"en": {"When was the bridge opened?", "Who built the bridge?", "How many people live in Oslo?", "Why is the sky blue?", "the", "never", "March", "Sunday", "two hundred and five thousand", 205000, "kilometres", "km", "Dr.", "Good morning!"},
	"de": {"Wann wurde die Brücke eröffnet?", "Wer hat die Brücke gebaut?", "Wie viele Einwohner hat Oslo?", "Warum ist der Himmel blau?", "der", "kein", "März", "Sonntag", "zweihundertdreiundzwanzig", 223, "Stunden", "h", "z.B.", "Guten Tag"},
	"fr": {"Quand le pont a-t-il été ouvert ?", "Qui a construit le pont ?", "Combien de personnes vivent à Oslo ?", "Pourquoi le ciel est-il bleu ?", "les", "jamais", "mars", "dimanche", "quatre-vingt-dix-sept", 97, "mètres", "m", "Mme", "Bonjour !"},
	"es": {"¿Cuándo se abrió el puente?", "¿Quién construyó el puente?", "¿Cuántas personas viven en Oslo?", "¿Por qué el cielo es azul?", "los", "nunca", "marzo", "domingo", "treinta y cinco mil", 35000, "años", "yr", "Sr.", "¡Hola!"},
	"it": {"Quando è stato aperto il ponte?", "Chi ha costruito il ponte?", "Quanti abitanti ha Oslo?", "Perché il cielo è blu?", "gli", "mai", "marzo", "domenica", "ventitré", 23, "chilometri", "km", "Sig.", "Buongiorno"},
	"pt": {"Quando a ponte foi aberta?", "Quem construiu a ponte?", "Quantas pessoas vivem em Oslo?", "Por que o céu é azul?", "uma", "nunca", "março", "domingo", "duzentos e trinta e um", 231, "quilos", "kg", "Sra.", "Bom dia!"},
	"nl": {"Wanneer werd de brug geopend?", "Wie heeft de brug gebouwd?", "Hoeveel mensen wonen er in Oslo?", "Waarom is de lucht blauw?", "het", "geen", "maart", "zondag", "drieëntwintig", 23, "weken", "wk", "bijv.", "Goedemorgen"},
	"pl": {"Kiedy otwarto ten most?", "Kto zbudował ten most?", "Ile osób mieszka w Oslo?", "Dlaczego niebo jest niebieskie?", "oraz", "nigdy", "marca", "niedziela", "dwieście trzydzieści pięć", 235, "godzin", "h", "np.", "Dzień dobry!"},
	"sv": {"När öppnades bron?", "Vem byggde bron?", "Hur många bor i Oslo?", "Varför är himlen blå?", "och", "aldrig", "mars", "söndag", "tjugotre", 23, "månader", "mo", "t.ex.", "Hej!"},
	"ru": {"Когда был открыт мост?", "Кто построил мост?", "Сколько человек живёт в Осло?", "Почему небо голубое?", "или", "никогда", "марта", "воскресенье", "двести тридцать пять", 235, "часов", "h", "т.д.", "Здравствуйте!"},
	"uk": {"Коли відкрили міст?", "Хто збудував міст?", "Скільки людей живе в Осло?", "Чому небо блакитне?", "або", "ніколи", "березня", "неділя", "сімдесят п'ять тисяч", 75000, "годин", "h", "вул.", "Доброго ранку"},
	"tr": {"Köprü ne zaman açıldı?", "Köprüyü kim yaptı?", "Oslo'da kaç kişi yaşıyor?", "Gökyüzü neden mavi?", "için", "değil", "mart", "pazar", "iki yüz otuz beş", 235, "saat", "h", "Prof.", "Günaydın"},
	"ar": {"متى افتتح الجسر؟", "من بنى الجسر؟", "كم عدد سكان أوسلو؟", "لماذا السماء زرقاء؟", "إلى", "ليس", "مارس", "الأحد", "مئة وخمسة وعشرون", 125, "ساعات", "h", "ص.", "السلام عليكم"},
	"hi": {"पुल कब खोला गया?", "पुल किसने बनाया?", "ओस्लो में कितने लोग रहते हैं?", "आसमान नीला क्यों है?", "और", "नहीं", "मार्च", "रविवार", "दो हज़ार तीन सौ", 2300, "घंटे", "h", "डॉ.", "नमस्ते"},
	"zh": {"这座桥什么时候开通的？", "谁建造了这座桥？", "奥斯陆有多少人？", "天空为什么是蓝色的？", "的", "没有", "三月", "星期日", "二百三十万", 2300000, "公里", "km", "等", "你好！"},
	"ja": {"橋はいつ開通しましたか？", "誰が橋を建てましたか？", "オスロには何人住んでいますか？", "空はなぜ青いのですか？", "の", "ない", "三月", "日曜日", "二千三百四十五", 2345, "メートル", "m", "約", "おはようございます。"},
	"ko": {"다리는 언제 개통되었나요?", "누가 다리를 지었나요?", "오슬로에는 몇 명이 살고 있나요?", "하늘은 왜 파란가요?", "그리고", "않다", "3월", "일요일", "이백삼십오", 235, "시간", "h", "약", "안녕하세요!"},
}

func TestDetect(t *testing.T) {
	for code, c := range cases {
		for _, text := range []string{c.text, c.person, c.count, c.why} {
			if got := lang.Detect(text); got != code {
				t.Errorf("%q: %q, want %q", text, got, code)
			}
		}
	}
	for text, want := range map[string]lang.Code{
		"": lang.Unknown, "1984": lang.Unknown, "Zwrkl Brx": lang.Unknown, "谁写了 Hamlet？": lang.Chinese, "Python のリストを逆順にするには？": lang.Japanese,
		"這座橋是誰建造的？": lang.Chinese, "What does 你好 mean?": lang.English, "Що таке Python?": lang.Ukrainian,
	} {
		if got := lang.Detect(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Short questions have few small words, or ones that other languages have as well.
func TestDetectFewWords(t *testing.T) {
	for text, want := range map[string]lang.Code{
		"rent per month": lang.English, "miete pro monat": lang.German, "loyer par mois": lang.French, "sueldo de tiago": lang.Spanish, "affitto mensile": lang.Italian,
		"ordenado do tiago": lang.Portuguese, "porque deixámos a expedia?": lang.Portuguese, "huur per maand": lang.Dutch, "kto podpisal": lang.Polish, "har Schmidt betalat": lang.Swedish,
		"otopark ucreti": lang.Turkish, "зарплата тиаго": lang.Russian, "вартість паркування": lang.Ukrainian, "quem assinou": lang.Portuguese, "wie heeft getekend": lang.Dutch,
		"Tiago Ferreira": lang.Unknown, "xkcd qwrt": lang.Unknown,
	} {
		if got := lang.Detect(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPlausible(t *testing.T) {
	for text, want := range map[string][]lang.Code{
		"horario sabado": {lang.Spanish, lang.Portuguese}, "Jean Dupont": {lang.German, lang.French, lang.English},
		"¿Quién firmó el contrato de alquiler?": {lang.Spanish}, "房租多少": {lang.Chinese},
	} {
		got := lang.Plausible(text)
		if slices.ContainsFunc(want, func(c lang.Code) bool { return !slices.Contains(got, c) }) || len(want) == 1 && len(got) > 1 {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := lang.Plausible("1984"); len(got) > 0 {
		t.Errorf("1984: %q", got)
	}
}

func TestAsksFor(t *testing.T) {
	for code, c := range cases {
		for text, want := range map[string]lang.AnswerType{c.text: lang.Time, c.person: lang.Person, c.why: lang.Reason} {
			if got := lang.AsksForIn(code, text); got != want {
				t.Errorf("%s: %q asks for %q, want %q", code, text, got, want)
			}
			if got := lang.AsksFor(text); got != want {
				t.Errorf("%q asks for %q, want %q", text, got, want)
			}
		}
		if got := lang.AsksFor(c.count); got != lang.Count && got != lang.Amount {
			t.Errorf("%s: %q asks for %q", code, c.count, got)
		}
	}
	for text, want := range map[string]lang.AnswerType{
		"In what year did it open?": lang.Time, "How long is the bridge?": lang.Duration, "Which country is next to Chad?": lang.Place,
		"Tell me about Oslo": lang.AsksNothing, "How does a fridge work?": lang.Manner, "What is rust?": lang.Thing, "How old is she?": lang.Duration,
		"Wie hoch ist der Turm?": lang.Amount, "Quel âge a-t-il ?": lang.Duration, "塔有多高？": lang.Amount,
	} {
		if got := lang.AsksFor(text); got != want {
			t.Errorf("%q asks for %q, want %q", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for code, c := range cases {
		if !lang.IsFunctionWord(code, c.function) || lang.IsFunctionWord(code, "Oslo") {
			t.Errorf("%s: function word %q", code, c.function)
		}
		if !lang.IsNegation(code, c.negation) || lang.IsNegation(code, "Oslo") {
			t.Errorf("%s: negation %q", code, c.negation)
		}
		if m, ok := lang.Month(code, c.month); !ok || m != time.March {
			t.Errorf("%s: %q is %v", code, c.month, m)
		}
		if d, ok := lang.Weekday(code, c.weekday); !ok || d != time.Sunday {
			t.Errorf("%s: %q is %v", code, c.weekday, d)
		}
		if u, ok := lang.Unit(code, c.unit); !ok || u != c.symbol {
			t.Errorf("%s: %q is %q", code, c.unit, u)
		}
		if !lang.IsAbbreviation(code, c.abbreviation) || lang.IsAbbreviation(code, "Oslo.") {
			t.Errorf("%s: abbreviation %q", code, c.abbreviation)
		}
	}
	if !lang.IsNegation(lang.English, "Don’t") {
		t.Error("don’t")
	}
}

func TestNumber(t *testing.T) {
	for code, c := range cases {
		if n, ok := lang.Number(code, c.number); !ok || n != c.value {
			t.Errorf("%s: %q is %d, want %d", code, c.number, n, c.value)
		}
		if n, ok := lang.Number(code, "Oslo"); ok {
			t.Errorf("%s: Oslo is %d", code, n)
		}
	}
	for _, c := range []struct {
		code lang.Code
		text string
		want int64
		ok   bool
	}{
		{"en", "twenty-three", 23, true}, {"en", "one hundred", 100, true}, {"en", "a thousand", 1000, true}, {"en", "two million three hundred thousand and six", 2300006, true},
		{"en", "one two three", 0, false}, {"en", "twenty thirty", 0, false}, {"en", "2024", 2024, true}, {"en", "", 0, false}, {"en", "and", 0, false},
		{"fr", "soixante et onze", 71, true}, {"fr", "quatre-vingts", 80, true}, {"es", "veintidós", 22, true}, {"it", "ventuno", 21, true}, {"it", "duemila", 2000, true},
		{"de", "eintausendzweihundert", 1200, true}, {"ar", "ثلاثة عشر", 13, true}, {"zh", "十五", 15, true}, {"ko", "스물셋", 23, true}, {"hi", "पाँच लाख", 500000, true}, {"ar", "١٢٣", 123, true},
	} {
		if n, ok := lang.Number(c.code, c.text); ok != c.ok || n != c.want {
			t.Errorf("%s: %q is %d, %v", c.code, c.text, n, ok)
		}
	}
}

func TestPhrases(t *testing.T) {
	for code, c := range cases {
		if all := lang.Phrases(code, lang.Greeting); !slices.Contains(all, strings.Trim(strings.ToLower(c.greeting), "¡!！。 ")) {
			t.Errorf("%s: %q is none of %q", code, c.greeting, all)
		}
	}
}

func TestReasonsAndNamesOfCodeAreKnown(t *testing.T) {
	for text, want := range map[string][2]bool{
		"The bridge was closed because of the storm.": {true, false}, "Which option keeps the file?": {false, true},
		"Die Straße ist gesperrt, weil es brennt.": {true, false}, "Welcher Befehl löscht das Paket?": {false, true},
		"大会は雨のため中止された。": {true, false}, "Какой параметр задаёт срок?": {false, true}, "The bridge is long.": {false, false},
	} {
		if got := [2]bool{lang.GivesReason(text), lang.AsksForSymbol(text)}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func BenchmarkDetect(b *testing.B) {
	for code, c := range cases {
		b.Run(string(code), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				lang.Detect(c.text)
			}
		})
	}
}

func TestWordsTypedWithoutTheLettersOfTheirLanguage(t *testing.T) {
	for _, c := range []struct {
		code          lang.Code
		word, written string
		want          bool
	}{
		{lang.German, "gebaeude", "gebäude", true}, {lang.German, "strasse", "straße", true}, {lang.German, "gebäude", "gebäude", false},
		{lang.German, "haus", "maus", false}, {lang.Swedish, "aaker", "åker", true}, {lang.English, "gebaeude", "gebäude", false},
	} {
		if got := lang.IsTranscribed(c.code, c.word, c.written); got != c.want {
			t.Errorf("%s: %s for %s: %v", c.code, c.word, c.written, got)
		}
	}
}
