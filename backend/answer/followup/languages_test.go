package followup

import (
	"testing"

	"footnote/backend/lang"
)

// conversations are two turns in every language: a question, what is asked then, and
// that in full.
var conversations = map[lang.Code][][3]string{
	"en": {
		{"When is the library open during the week?", "and at the weekend?", "When is the library open at the weekend?"},
		{"How far can the car go with 10 litres?", "and with 20?", "How far can the car go with 20 litres?"},
		{"What does the basic plan cost?", "No, I meant the pro plan", "What does the pro plan cost?"},
		{"What does the basic plan cost?", "tell me more", "tell me more the basic plan"},
	},
	"de": {
		{"Was kostet der Basistarif?", "nein, ich meinte den Profitarif", "Was kostet den Profitarif?"},
		{"Wie viele Einwohner hat Hamburg?", "und in Berlin?", "Wie viele Einwohner hat Berlin?"},
		{"Wer hat Faust geschrieben?", "warum?", "warum hat Faust geschrieben?"},
		{"Was macht das Programm?", "Wer hat es geschrieben?", "Wer hat das Programm geschrieben?"},
		{"Was ist die Probezeit?", "mehr Details", "mehr Details die Probezeit"},
	},
	"fr": {
		{"Quels sont les horaires en semaine ?", "et le week-end ?", "Quels sont les horaires le week-end ?"},
		{"Combien d'habitants a Lyon ?", "et à Marseille ?", "Combien d'habitants a Marseille ?"},
		{"Quelle est la durée du contrat ?", "qui l'a signé ?", "qui l'a signé la durée du contrat"},
		{"Qui a construit le pont ?", "pourquoi ?", "pourquoi a construit le pont ?"},
	},
	"es": {
		{"¿Cuánto cuesta el plan básico?", "no, quería decir el plan pro", "Cuánto cuesta el plan pro?"},
		{"¿Cuántos habitantes tiene Madrid?", "¿y Sevilla?", "Cuántos habitantes tiene Sevilla?"},
		{"¿Qué es el contrato de alquiler?", "¿cuándo se firmó?", "cuándo se firmó el contrato de alquiler"},
		{"¿Cuándo abrió el museo?", "¿por qué?", "por qué abrió el museo?"},
	},
	"it": {
		{"Quanto costa il piano base?", "e il piano pro?", "Quanto costa il piano pro?"},
		{"Quali erano i ricavi nel 2022?", "e nel 2023?", "Quali erano i ricavi nel 2023?"},
		{"Chi è il direttore di Fiat?", "e di Pirelli?", "Chi è il direttore di Pirelli?"},
		{"Quando fu aperto il ponte?", "perché?", "perché fu aperto il ponte?"},
		{"Quanto costa il piano base?", "no, intendevo il piano pro", "Quanto costa il piano pro?"},
	},
	"pt": {
		{"Quanto custa o plano básico?", "e o plano pro?", "Quanto custa o plano pro?"},
		{"Qual foi a receita em 2022?", "e em 2023?", "Qual foi a receita em 2023?"},
		{"Quem escreveu Os Lusíadas?", "quando?", "quando escreveu Os Lusíadas?"},
		{"Quantos habitantes tem Lisboa?", "e quanto ao Porto?", "Quantos habitantes tem Porto?"},
	},
	"nl": {
		{"Wat kost het basisplan?", "en het proplan?", "Wat kost het proplan?"},
		{"Wat was de omzet in 2022?", "en in 2023?", "Wat was de omzet in 2023?"},
		{"Wanneer werd de brug geopend?", "waarom?", "waarom werd de brug geopend?"},
		{"Hoeveel inwoners heeft Utrecht?", "en hoe zit het met Leiden?", "Hoeveel inwoners heeft Leiden?"},
	},
	"pl": {
		{"Ile kosztuje plan podstawowy?", "a plan pro?", "Ile kosztuje plan pro?"},
		{"Jakie były przychody w 2022 roku?", "a w 2023 roku?", "Jakie były przychody w 2023 roku?"},
		{"Kiedy otwarto ten most?", "dlaczego?", "dlaczego otwarto ten most?"},
		{"Kto napisał Pana Tadeusza?", "a Lalkę?", "Kto napisał Lalkę?"},
	},
	"sv": {
		{"Vad kostar basplanen?", "och proplanen?", "Vad kostar proplanen?"},
		{"Vad var omsättningen år 2022?", "och 2023?", "Vad var omsättningen år 2023?"},
		{"När öppnades bron?", "varför?", "varför öppnades bron?"},
		{"Hur många invånare har Malmö?", "och hur är det med Lund?", "Hur många invånare har Lund?"},
	},
	"ru": {
		{"Сколько стоит базовый тариф?", "а профессиональный тариф?", "Сколько стоит профессиональный тариф?"},
		{"Какой была выручка в 2022 году?", "а в 2023 году?", "Какой была выручка в 2023 году?"},
		{"Сколько жителей в Москве?", "а в Казани?", "Сколько жителей в Казани?"},
		{"Когда открыли мост?", "почему?", "почему открыли мост?"},
		{"Сколько стоит базовый тариф?", "нет, я имел в виду профессиональный тариф", "Сколько стоит профессиональный тариф?"},
	},
	"uk": {
		{"Скільки коштує базовий тариф?", "а професійний тариф?", "Скільки коштує професійний тариф?"},
		{"Яким був дохід у 2022 році?", "а у 2023 році?", "Яким був дохід у 2023 році?"},
		{"Скільки мешканців у Києві?", "а у Львові?", "Скільки мешканців у Львові?"},
		{"Коли відкрили міст?", "чому?", "чому відкрили міст?"},
	},
	"tr": {
		{"Temel plan ne kadar?", "peki ya pro plan?", "pro plan ne kadar?"},
		{"2022 yılında ciro neydi?", "peki 2023 yılında?", "2023 yılında ciro neydi?"},
		{"Köprü ne zaman açıldı?", "neden?", "Köprü neden açıldı?"},
		{"Oslo'da kaç kişi yaşıyor?", "peki Bergen'de?", "Bergen'de kaç kişi yaşıyor?"},
	},
	"ar": {
		{"كم سعر الخطة الأساسية؟", "وماذا عن الخطة الاحترافية؟", "كم سعر الخطة الاحترافية؟"},
		{"ما هي الإيرادات في عام 2022؟", "وفي عام 2023؟", "ما هي الإيرادات في عام 2023؟"},
		{"متى افتتح الجسر؟", "لماذا؟", "لماذا افتتح الجسر؟"},
	},
	"hi": {
		{"बेसिक प्लान की कीमत क्या है?", "और प्रो प्लान की?", "प्रो प्लान की कीमत क्या है?"},
		{"2022 में आय कितनी थी?", "और 2023 में?", "2023 में आय कितनी थी?"},
		{"पुल कब खोला गया?", "क्यों?", "पुल क्यों खोला गया?"},
		{"ओस्लो में कितने लोग रहते हैं?", "और बर्गन में?", "बर्गन में कितने लोग रहते हैं?"},
	},
	"zh": {
		{"基础套餐的价格是多少？", "专业套餐呢？", "专业套餐的价格是多少？"},
		{"2022年的收入是多少？", "2023年呢？", "2023年的收入是多少？"},
		{"这座桥什么时候开通的？", "为什么？", "这座桥为什么开通的？"},
		{"上海有多少人？", "那北京呢？", "北京有多少人？"},
	},
	"ja": {
		{"ベーシックプランの料金はいくらですか？", "プロプランは？", "プロプランの料金はいくらですか？"},
		{"2022年の売上はいくらですか？", "2023年は？", "2023年の売上はいくらですか？"},
		{"橋はいつ開通しましたか？", "なぜ？", "橋はなぜ開通しましたか？"},
		{"東京には何人住んでいますか？", "大阪は？", "大阪には何人住んでいますか？"},
	},
	"ko": {
		{"기본 요금제는 얼마인가요?", "프로 요금제는?", "프로 요금제는 얼마인가요?"},
		{"2022년 매출은 얼마인가요?", "2023년은요?", "2023년 매출은 얼마인가요?"},
		{"다리는 언제 개통되었나요?", "왜?", "다리는 왜 개통되었나요?"},
		{"서울에는 몇 명이 살고 있나요?", "부산에는요?", "부산에는 몇 명이 살고 있나요?"},
	},
}

func TestFollowUpsInEveryLanguage(t *testing.T) {
	for _, code := range lang.Codes() {
		if len(conversations[code]) < 3 {
			t.Errorf("%s: only %d", code, len(conversations[code]))
		}
		for _, c := range conversations[code] {
			if got := Standalone(c[1], []Turn{{Question: c[0]}}); got != c[2] {
				t.Errorf("%s: %s %s: %q, want %q", code, c[0], c[1], got, c[2])
			}
		}
	}
}
