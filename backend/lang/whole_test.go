package lang_test

import (
	"strings"
	"testing"

	"footnote/backend/lang"
)

func TestAsksOfAll(t *testing.T) {
	for code, questions := range map[lang.Code][]string{
		"en": {"What is in this folder?", "what's in this folder", "what are my files about?", "Give me an overview of these documents", "summarise this folder in a few lines", "What sort of documents are in here? Give me a quick overview."},
		"de": {"Was ist in diesem Ordner?", "Worum geht es in meinen Dateien?", "Gib mir einen Überblick über diese Dokumente", "Fasse diesen Ordner in wenigen Zeilen zusammen"},
		"fr": {"Qu'y a-t-il dans ce dossier ?", "De quoi parlent mes fichiers ?", "Donne-moi un aperçu de ces documents", "Résume ce dossier en quelques lignes"},
		"es": {"¿Qué hay en esta carpeta?", "¿De qué tratan mis archivos?", "Dame una visión general de estos documentos", "Resume esta carpeta en pocas líneas"},
		"it": {"Cosa c'è in questa cartella?", "Di cosa parlano i miei file?", "Dammi una panoramica di questi documenti", "Riassumi questa cartella in poche righe"},
		"pt": {"O que há nesta pasta?", "De que tratam os meus ficheiros?", "Dá-me uma visão geral destes documentos", "de que é esta pasta? resume em poucas linhas"},
		"nl": {"Wat staat er in deze map?", "Waar gaan mijn bestanden over?", "Geef me een overzicht van deze documenten", "Vat deze map samen in een paar regels"},
		"pl": {"Co jest w tym folderze?", "O czym są moje pliki?", "Daj mi przegląd tych dokumentów", "Podsumuj ten folder w kilku linijkach"},
		"sv": {"Vad finns i den här mappen?", "Vad handlar mina filer om?", "Ge mig en översikt över dessa dokument", "Sammanfatta den här mappen på några rader"},
		"ru": {"Что в этой папке?", "О чём мои файлы?", "Дай обзор этих документов", "Кратко изложи содержание этой папки в нескольких строках"},
		"uk": {"Що в цій папці?", "Про що мої файли?", "Дай огляд цих документів", "Стисло виклади зміст цієї папки у кількох рядках"},
		"tr": {"Bu klasörde ne var?", "Dosyalarım ne hakkında?", "Bana bu belgelerin genel bir özetini ver", "Bu klasörü birkaç satırda özetle"},
		"ar": {"ماذا يوجد في هذا المجلد؟", "عن ماذا تتحدث ملفاتي؟", "أعطني نظرة عامة على هذه المستندات", "لخص هذا المجلد في بضعة أسطر"},
		"hi": {"इस फ़ोल्डर में क्या है?", "मेरी फ़ाइलें किस बारे में हैं?", "इन दस्तावेज़ों का अवलोकन दो", "इस फ़ोल्डर का सारांश कुछ पंक्तियों में दो"},
		"zh": {"这个文件夹里主要是些什么？", "我的文件都是关于什么的？", "概述一下这些文档", "用几句话总结一下这个文件夹"},
		"ja": {"このフォルダには何が入っていますか？", "私のファイルは何についてですか？", "これらの文書の概要を教えてください", "このフォルダを数行で要約して"},
		"ko": {"이 폴더에 뭐가 있어?", "내 파일들은 무슨 내용이야?", "이 문서들의 개요를 알려줘", "이 폴더를 몇 줄로 요약해줘"},
	} {
		for _, q := range questions {
			if rest, ok := lang.AsksOfAll(code, q); !ok || rest != "" {
				t.Errorf("%s: %q is not of all: rest %q", code, q, rest)
			}
		}
	}
}

func TestAsksOfLess(t *testing.T) {
	for _, q := range []string{
		"what is in this contract about rent?", "summarise the lease", "What is this document about?", "what do my notes say about the boiler?", "which files mention rent?",
		"how many files are in this folder?", "What is the newest document?", "who wrote these documents?", "why are there two folders?", "Summarise the minutes of March", "what is a folder?",
		"What is in the folder /dev?", "Che cosa contiene la directory .git/?",
		"Was steht im Vertrag über die Miete?", "Fasse den Mietvertrag zusammen", "Worum geht es in diesem Dokument?", "de quoi parle le contrat ?", "résume le bail", "¿Qué dice el contrato de la fianza?",
		"de que trata o contrato da Rosa?", "quanto custa a pasta?", "o que há no contrato?", "cosa c'è nel verbale?", "waar gaat het contract over?", "o czym jest umowa?", "о чём договор?", "sözleşme ne hakkında?",
		"这份合同讲了什么？", "总结租房合同", "この契約書の概要", "이 계약서 요약해줘", "ما هو مجموع الفاتورة؟", "इस अनुबंध में किराया क्या है?",
	} {
		for _, code := range lang.Codes() {
			if rest, ok := lang.AsksOfAll(code, q); ok && (rest == "" || strings.Contains(q, "/")) {
				t.Errorf("%s: %q is taken for one of all", code, q)
			}
		}
	}
	for q, want := range map[string]string{"What is in the folder Old Leases?": "Old Leases", "Was ist im Ordner Rechnungen?": "Rechnungen", "O que há na pasta Contratos?": "Contratos"} {
		if rest, ok := lang.AsksOfAll(lang.Detect(q), q); !ok || rest != want {
			t.Errorf("%q: %q %v", q, rest, ok)
		}
	}
}
