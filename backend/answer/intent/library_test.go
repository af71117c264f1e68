package intent

import (
	"testing"
	"time"
)

var monday = time.Date(2026, time.November, 23, 15, 0, 0, 0, time.UTC)

func TestQuestionsAboutTheFilesAreTold(t *testing.T) {
	for _, c := range []struct {
		question string
		want     Inventory
	}{
		{"How many PDFs do I have?", Inventory{Count: true, Filter: "type:pdf"}},
		{"how many files are there", Inventory{Count: true}},
		{"Which file is the largest?", Inventory{Order: Largest}},
		{"What are the five largest files?", Inventory{Order: Largest, Most: 5}},
		{"show me the 3 most recent emails", Inventory{Order: Newest, Most: 3, Filter: "type:mail"}},
		{"what is the newest file?", Inventory{Order: Newest}},
		{"list all files", Inventory{}},
		{"Which files do I have?", Inventory{}},
		{"files of last week", Inventory{Filter: "after:2026-11-16 before:2026-11-23"}},
		{"Which documents were changed yesterday?", Inventory{Filter: "after:2026-11-22 before:2026-11-23"}},
		{"How many spreadsheets from March 2025?", Inventory{Count: true, Filter: "type:sheet after:2025-03-01 before:2025-04-01"}},
		{"which files could not be read?", Inventory{Failed: true}},
		{"how many files are in the folder Contracts?", Inventory{Count: true, Filter: `folder:"Contracts"`}},
		{"Wie viele Dateien habe ich?", Inventory{Count: true}},
		{"Welche Datei ist die größte?", Inventory{Order: Largest}},
		{"Zeige mir alle Dateien von letzter Woche", Inventory{Filter: "after:2026-11-16 before:2026-11-23"}},
		{"Combien de PDF y a-t-il ?", Inventory{Count: true, Filter: "type:pdf"}},
		{"Quel est le fichier le plus récent ?", Inventory{Order: Newest}},
		{"¿Cuál es el archivo más grande?", Inventory{Order: Largest}},
		{"¿Cuántos documentos tengo?", Inventory{Count: true}},
		{"Qual è il file più recente?", Inventory{Order: Newest}},
		{"Quantos arquivos eu tenho?", Inventory{Count: true}},
		{"Welk bestand is het oudste?", Inventory{Order: Oldest}},
		{"Ile mam plików?", Inventory{Count: true}},
		{"Vilken fil är störst?", Inventory{Order: Largest}},
		{"Какой файл самый большой?", Inventory{Order: Largest}},
		{"Скільки у мене файлів?", Inventory{Count: true}},
		{"Kaç dosyam var?", Inventory{Count: true}},
		{"كم عدد الملفات لدي؟", Inventory{Count: true}},
		{"मेरे पास कितनी फ़ाइलें हैं?", Inventory{Count: true}},
		{"我有多少个文件？", Inventory{Count: true}},
		{"最新的文件是哪个？", Inventory{Order: Newest}},
		{"ファイルはいくつありますか？", Inventory{Count: true}},
		{"一番大きいファイルはどれですか？", Inventory{Order: Largest}},
		{"파일이 몇 개 있나요?", Inventory{Count: true}},
		{"가장 최근 파일은 무엇인가요?", Inventory{Order: Newest}},
	} {
		got, ok := InventoryOf(c.question, monday)
		c.want.Code = got.Code
		if !ok || got != c.want {
			t.Errorf("%s gives %+v (%v), want %+v", c.question, got, ok, c.want)
		}
	}
}

func TestQuestionsOfAnyOtherMatterAreSearched(t *testing.T) {
	for _, question := range []string{
		"", "What is a file?", "How large is the largest file that git can store?", "How many documents did the court receive?", "What is the oldest document in the world?",
		"How many emails did Anna send?", "Who wrote the newest file system?", "Which file format does Excel use?", "How do I open a PDF?", "What is the largest i32?",
		"summarise my files", "the file is too large", "Welche Datei enthält die Miete?", "Wie groß ist der größte Saal?", "Quel est le plus grand lac ?", "文件系统是什么？",
		"How many files mention tax?", "What was new last week?", "When was the last file transfer?", "How big is the file limit?", "Which documents do I need for a visa?",
		"How many files does a chessboard have?", "What was the size of the fleet last year?", "ファイルシステムとは何ですか？", "파일 시스템이란 무엇인가요?", "How many notes are there in a scale?",
	} {
		if got, ok := InventoryOf(question, monday); ok {
			t.Errorf("%q is about the files: %+v", question, got)
		}
	}
}

func FuzzInventoryOf(f *testing.F) {
	for _, s := range []string{"how many files in folder \"a\" from March 2025", "最大的5个文件", "가장 큰 파일 3개", "which files “", "İ dosya kaç"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, question string) { InventoryOf(question, monday) })
}
