package lang_test

import (
	"testing"

	"footnote/backend/lang"
)

func TestOverviewsAreAskedForInEveryLanguage(t *testing.T) {
	for question, want := range map[string]string{
		"summarise finance.xlsx": "finance", "Please summarise the minutes": "minutes", "can you summarize our lease?": "lease", "What is in report.csv?": "report",
		"what is the lease about?": "lease", "tl;dr keeper's log": "keeper's log",
		"Fasse den Mietvertrag zusammen": "Mietvertrag", "Was steht in Protokoll.docx?": "Protokoll", "Bitte fasse login.defs zusammen": "login",
		"résume le fichier bail": "bail", "De quoi parle le contrat ?": "contrat", "Resume el archivo contrato": "contrato", "¿De qué trata el informe?": "informe",
		"riassumi verbale.pdf": "verbale", "Faça um resumo do contrato": "contrato", "Vat het verslag samen": "verslag", "streść umowa.pdf": "umowa",
		"sammanfatta avtalet": "avtalet", "Перескажи договор.docx": "договор", "підсумуй договір": "договір", "sözleşme.pdf özetle": "sözleşme",
		"لخص العقد": "العقد", "अनुबंध का सारांश दो": "अनुबंध", "总结合同.docx": "合同", "请总结合同": "合同", "契約書を要約してください": "契約書", "계약서 요약해 줘": "계약서",
		"What is in this file?": "", "summarise this document": "",
	} {
		got, ok := lang.AsksOverview(question)
		if !ok || got != want {
			t.Errorf("%q: %q, %v", question, got, ok)
		}
	}
	for _, question := range []string{
		"What is in the box?", "Who wrote the summary of the report in 2019?", "What does the guide say about dogs?", "How high is the tower?", "summarise", "", "Was ist in der Kiste?", "要約とは何ですか？",
		"What does the tower contain?", "Qui a résumé le contrat ?",
	} {
		if got, ok := lang.AsksOverview(question); ok {
			t.Errorf("%q is an overview of %q", question, got)
		}
	}
}

func FuzzOverview(f *testing.F) {
	f.Add("summarise finance.xlsx")
	f.Add("总结合同")
	f.Fuzz(func(_ *testing.T, question string) { lang.AsksOverview(question) })
}
