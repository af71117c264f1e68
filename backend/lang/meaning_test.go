package lang_test

import (
	"testing"

	"footnote/backend/lang"
)

func TestAQuestionForAMeaningIsRead(t *testing.T) {
	for question, want := range map[string]string{
		"What is a layer mask?":                      "layer mask",
		"what's GEGL":                                "gegl",
		"What are paint tools?":                      "paint tools",
		"What does \"tare weight\" mean?":            "tare weight",
		"What is the canvas?":                        "canvas",
		"Was ist eine Kröpfung?":                     "kröpfung",
		"Was versteht man unter Skonto?":             "skonto",
		"Qu’est-ce qu’un calque ?":                   "calque",
		"Que signifie usufruit ?":                    "usufruit",
		"¿Qué es la fotosíntesis?":                   "fotosíntesis",
		"Che cos'è un livello?":                      "livello",
		"O que é uma camada?":                        "camada",
		"Wat is een laagmasker?":                     "laagmasker",
		"Co to jest warstwa?":                        "warstwa",
		"Vad är en ordlista?":                        "ordlista",
		"Что такое альфа-канал?":                     "альфа-канал",
		"Що таке шар?":                               "шар",
		"Katman nedir?":                              "katman",
		"ما هو القناع؟":                              "القناع",
		"परत क्या है?":                               "परत",
		"什么是图层蒙版？":                                   "图层蒙版",
		"レイヤーマスクとは何ですか?":                             "レイヤーマスク",
		"레이어란 무엇인가요?":                                "레이어",
		"What does borg compact do?":                 "borg compact",
		"What is the escrow account for?":            "escrow account",
		"What is a bleed valve used for?":            "bleed valve",
		"Wozu dient die Option noexec?":              "option noexec",
		"Was macht der Taktgeber?":                   "taktgeber",
		"À quoi sert la commande nl ?":               "commande nl",
		"¿Para qué sirve el embrague?":               "embrague",
		"A cosa serve l'ERC?":                        "erc",
		"Do czego służy suwmiarka?":                  "suwmiarka",
		"Для чего нужен редуктор?":                   "редуктор",
		"Що робить планувальник?":                    "планувальник",
		"Makas ne işe yarar?":                        "makas",
		"ode 関数は何をしますか":                              "ode 関数",
		"游标卡尺有什么用？":                                  "游标卡尺",
		"¿Para qué sirve la herramienta de clonado?": "herramienta de clonado",
		"What does it do?":                           "",
		"What does the end of it do?":                "",
		"What does Ann do on Mondays?":               "",
		"What is the capital of France?":             "",
		"What is it?":                                "",
		"What is slipped between the skins?":         "",
		"How heavy is a brush?":                      "",
		"What is the default unit of a selection":    "",
		"夜来香的别名是什么？":                                 "",
		"Qu'est-ce qui a mis fin à la colonie ?":     "",
		"Was ist im Lieferumfang enthalten?":         "",
		"Welche Option von xz behält die Datei?":     "",
		"": "",
	} {
		got, ok := lang.AsksMeaning(question)
		if ok != (want != "") || ok && got.Term != want {
			t.Errorf("%q: %+v %v, wanted %q", question, got, ok, want)
		}
	}
}

func TestASentenceSaysWhatATermMeans(t *testing.T) {
	for _, c := range []struct {
		question, sentence string
		want               bool
	}{
		{"What is a brush?", "A brush is a pixmap or set of pixmaps used for painting.", true},
		{"What are brushes?", "A brush is a pixmap.", true},
		{"What is a brush?", "A brush stroke produces a series of marks.", false},
		{"What does borg compact do?", "Borg compact frees the space of what was deleted.", true},
		{"What does the -bt option do?", "-bt checks addresses.", true},
		{"What does the -bt option do?", "The option -bt checks addresses.", true},
		{"What does the -bt option do?", "Addresses are checked by the -bt option.", false},
		{"À quoi sert la commande nl ?", "La commande nl permet de numéroter des lignes.", true},
		{"noexec 选项有什么用？", "noexec 用于禁止执行。", true},
		{"What does borg compact do?", "After the commits, borg compact runs.", false},
		{"What does the governor do?", "The governor of the engine controls its speed.", true},
		{"What does the governor do?", "The governor is a device with two weights.", true},
		{"What is a governor?", "The governor controls the speed.", false},
		{"Wozu dient der Abgleich?", "Abgleichen - Menü - Fertigstellen", false},
		{"Wozu dient die Unruh?", "Die Unruh regelt den Gang der Uhr.", true},
		{"Wofür ist ein Platzhalterkonto?", "Platzhalterkonten bilden eine Gruppe.", true},
		{"À quoi sert l'ancre ?", "L'ancre permet de bloquer la roue.", true},
		{"¿Para qué sirve la herramienta de clonado?", "La herramienta de clonado usa el pincel para copiar.", true},
		{"Was ist eine Splitbuchung?", "Eine Zeile mit Konto und Betrag nennt man Splitbuchung.", true},
		{"Was ist eine Splitbuchung?", "Eine Zeile nennt man Splitbuchungszeile.", false},
		{"Was ist ein Anker?", "Das Teil wird Anker genannt, weil es hält.", true},
		{"What is a bleed valve?", "The screw that lets air out is called a “bleed valve”.", true},
		{"What is a bleed valve?", "The screw is called a bleed valve cap.", false},
		{"What is a hook?", "The script is called by a hook.", false},
		{"Qu'est-ce qu'un calque ?", "Une telle feuille s’appelle un calque.", true},
		{"Что такое слой?", "Такой лист называется слоем.", true},
		{"Katman nedir?", "Böyle saydam bir kâğıda katman denir.", true},
		{"Katman nedir?", "Katmanlar listede durur.", false},
		{"什么是图层？", "这种透明的纸称为图层。", true},
		{"レイヤーとは何ですか?", "透明な紙をレイヤーと呼びます。", true},
		{"A cosa serve l'ERC?", "L'ERC controlla le regole elettriche.", true},
		{"Для чего нужен редуктор?", "Редуктор служит для снижения оборотов.", true},
		{"游标卡尺有什么用？", "游标卡尺用于测量长度。", true},
		{"What is a brush?", "Brushes can be selected by clicking on an icon.", false},
		{"What is GEGL?", "GEGL (“Generic Graphical Library”) is a library for images.", true},
		{"What is an alpha channel?", "An alpha channel of a layer is a grayscale image of the same size.", true},
		{"What is a path?", "If you want a path, a path is a curve.", false},
		{"What is colour depth?", "Colour depth is simply the number of bits.", true},
		{"Was ist eine Maske?", "Eine Maske ist ein Bild in Graustufen.", true},
		{"Was ist eine Maske?", "Die Maske wird nicht angewendet.", false},
		{"Qu'est-ce qu'un calque ?", "Un calque est une feuille transparente.", true},
		{"Che cos'è un livello?", "Un livello è un foglio trasparente.", true},
		{"Что такое слой?", "Слой — это прозрачный лист.", true},
		{"レイヤーとは何ですか?", "レイヤーとは透明な紙のようなものです。", true},
		{"レイヤーとは何ですか?", "レイヤーとは別に、枠線があります。", false},
		{"什么是图层？", "图层是一种透明的纸。", true},
		{"什么是图层？", "图层是否可见，由图标显示。", false},
		{"什么是图层？", "新建图层以后，点击确定。", false},
		{"레이어란 무엇인가요?", "레이어란 투명한 종이이다.", true},
	} {
		m, ok := lang.AsksMeaning(c.question)
		if got := m.SaidBy(c.sentence); !ok || got != c.want {
			t.Errorf("%q of %q: %v %v", c.sentence, c.question, got, ok)
		}
	}
}

func FuzzMeaning(f *testing.F) {
	f.Add("What is a (b?", "A (b is")
	f.Add("什么是图层？", "图层（")
	f.Add("Katman nedir?", "Buna katman denir")
	f.Add("레이어란 무엇인가요?", "이것을 레이어라고 한다")
	f.Add("परत क्या है?", "परत एक")
	f.Add("What does the -bt option do?", "is called -bt")
	f.Fuzz(func(_ *testing.T, question, sentence string) {
		m, _ := lang.AsksMeaning(question)
		m.SaidBy(sentence)
		m.OpenedBy(sentence)
	})
}

func TestAHeadingIsWhatIsAskedFor(t *testing.T) {
	for _, c := range []struct {
		question, heading string
		want              bool
	}{
		{"What does the -bt option do?", "-bt", true},
		{"What does the redirect router do?", "22. The redirect router", true},
		{"What does the redirect router do?", "Options of the redirect router", false},
		{"What does the redirect router do?", "Redirect router options", false},
		{"What is the redirect router?", "The redirect router", false},
		{"Wozu dient die Option noexec?", "noexec", true},
	} {
		m, ok := lang.AsksMeaning(c.question)
		if got := m.OpenedBy(c.heading); !ok || got != c.want {
			t.Errorf("%q of %q: %v %v", c.heading, c.question, got, ok)
		}
	}
}
