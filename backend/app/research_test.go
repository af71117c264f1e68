package app

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/command"
	"footnote/backend/eval"
	"footnote/backend/lang"
)

// TestTheSampleLibraryIsResearched holds a report over files, without a model and
// without the network, to the bars that footnote eval research measures.
func TestTheSampleLibraryIsResearched(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	questions := filepath.Join(t.TempDir(), "questions.jsonl")
	if err := os.WriteFile(questions, []byte(`{"id":"1","question":"What is known about the lamp of Skerry Point?","gold":["Lamp and lens.md"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, submode := range []string{"deep-research", "due-diligence"} {
		var out, errs bytes.Buffer
		code := program.Run(t.Context(), &command.Env{
			Args: []string{"eval", "research", questions, "--files", filepath.Join("..", "..", "build", "library"), "--offline", "--json", "--submode", submode,
				"--set", "models.chat=none", "--set", "deep.review_ms=0"},
			Stdout: &out, Stderr: &errs, Dir: dir,
		})
		var row eval.ResearchRow
		if err := json.Unmarshal(out.Bytes(), &row); code != 0 || err != nil {
			t.Fatalf("%d %s %s %v", code, &out, &errs, err)
		}
		if row.Failed != 0 || row.InBudget != 1 || row.Whole != 1 || row.GoldInSources != 1 || row.Quotes < 5 || row.Departed != 0 || row.Invented != 0 || row.Supported != 1 {
			t.Errorf("%s: %s", submode, row)
		}
	}
}

// TestAReportIsOverWhatPeopleHave asks for reports over a few files, without a model.
func TestAReportIsOverWhatPeopleHave(t *testing.T) {
	files := t.TempDir()
	for name, text := range map[string]string{
		"profile.md":     "# Oban Gears\n\nOban Gears is a Scottish firm that makes the axle controller Tolva. It was founded in 1971.",
		"advisory.md":    "# Security advisory\n\nA flaw in the network listener of Tolva lets an attacker without an account stop any axle.",
		"licence.md":     "# Change of terms\n\nPublished 4 May 2025\n\nFrom version 6 Tolva is no longer published under the Apache 2.0 licence. Write to legal@obangears.example for commercial licences.",
		"old.md":         "# Tolva in short\n\nPublished 3 May 2022\n\nTolva is published under the Apache 2.0 licence.",
		"früher.md":      "# Hausordnung\n\nGültig ab 1. August 2021\n\n## Mobiltelefone\n\nMobiltelefone dürfen in den Pausen auf dem Schulhof benutzt werden.",
		"rival.md":       "# Brecon Drives\n\nBrecon Drives makes the controller Wyre. Wyre is certified to ISO 27001.",
		"hausordnung.md": "# Hausordnung\n\nGültig ab 1. August 2025\n\n## Mobiltelefone\n\nMobiltelefone bleiben in den Pausen ausgeschaltet in der Tasche. Wer dagegen verstößt, gibt das Gerät im Sekretariat ab.",
	} {
		if err := os.WriteFile(filepath.Join(files, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	report := func(question, submode string) string { return reportOver(t, files, question, submode) }
	company := report("Oban Gears", "due-diligence")
	for _, want := range []string{"A flaw in the network listener of Tolva", "no longer published under the Apache 2.0 licence", "2022, since replaced: Tolva is published under"} {
		if !strings.Contains(company, want) {
			t.Errorf("no %q\n%s", want, company)
		}
	}
	for _, never := range []string{"Wyre", "legal@", "\n- Tolva is published under"} {
		if strings.Contains(company, never) {
			t.Errorf("%q\n%s", never, company)
		}
	}
	if school := report("Welche Regeln gelten für Mobiltelefone?", "deep-research"); !strings.Contains(school, "ausgeschaltet in der Tasche. [") || !strings.Contains(school, "„Hausordnung“ von 2021 (2025 gilt)") || strings.Contains(school, "Schulhof") || strings.Contains(school, "Tolva") || strings.Contains(school, "Nichts gefunden") || strings.Contains(school, " 0 ") {
		t.Errorf("%s", school)
	}
}

// TestAReportOverAHandbookQuotesWhatBears asks how something is done of one book: no single
// sentence of it answers, and what stands there on the matter does.
func TestAReportOverAHandbookQuotesWhatBears(t *testing.T) {
	files := t.TempDir()
	book := `# Tallybook: bookkeeping by hand

## Currencies

### Histories of prices

Tallybook keeps a list of prices for each currency and reads the last one before the day of a report. A price is written on a line of its own, with its day. Where a price is missing, the amount stays in its own currency.

### Fixing the price of an amount

An amount may carry the price at which it was bought. Such a price is fixed, and reports of later days keep it. Reports convert amounts with other prices anew.

## Colours of the screen

Reports are printed in black. Lines of debts may be red. The background is white.

## Shortcuts

The key F5 prints a report. The key F1 opens the help.

## Printing

Reports are printed on sheets of any size. Margins are two fingers wide.
`
	if err := os.WriteFile(filepath.Join(files, "book.md"), []byte(book), 0o600); err != nil {
		t.Fatal(err)
	}
	text := reportOver(t, files, "How does Tallybook deal with several currencies and their prices?", "deep-research")
	for _, want := range []string{"keeps a list of prices", "An amount may carry the price", "Reports convert amounts", "A price is written on a line"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q\n%s", want, text)
		}
	}
	for _, never := range []string{"do not answer this question", "two fingers", "background is white", "sheets of any size", "F1"} {
		if strings.Contains(text, never) {
			t.Errorf("%q\n%s", never, text)
		}
	}
}

// reportOver is a report over the files of a folder, without a model.
func reportOver(t *testing.T, files, question, submode string) string {
	t.Helper()
	var out, errs bytes.Buffer
	code := program.Run(t.Context(), &command.Env{
		Args:   []string{"ask", question, "--data", t.TempDir(), "--files", files, "--focus", "local", "--offline", "--quiet", "--mode", "deep", "--submode", submode, "--model", "none", "--system", "none"},
		Stdout: &out, Stderr: &errs, Dir: files,
	})
	if code != 0 {
		t.Fatalf("%d %s %s", code, &out, &errs)
	}
	text, _, _ := strings.Cut(out.String(), "\nSources\n")
	return text
}

// TestADueDiligenceTellsRisksInTheLanguageOfItsSources asks in three languages about
// files that have a lawsuit, a hole, a delay and a rival in them.
func TestADueDiligenceTellsRisksInTheLanguageOfItsSources(t *testing.T) {
	for question, c := range map[string]struct {
		text  string
		risks []string
		deep  string // asks for the risks alone
	}{
		"Sollten wir Korvat Kessel als Lieferanten wählen?": {"# Nachrichten\n\nKorvat Kessel wurde 1962 in Jena gegründet. Eine Gemeinde verklagte Korvat Kessel im Mai 2025 wegen undichter Kessel auf Schadenersatz. In der Steuerung von Korvat Kessel wurde 2025 die Schwachstelle CVE-2025-7731 gefunden. Korvat Kessel beschäftigt 140 Mitarbeiter.",
			[]string{"verklagte Korvat", "CVE-2025-7731"}, "Welche Risiken gibt es bei Korvat Kessel?"},
		"Devons-nous choisir Morvan Chaudières comme fournisseur ?": {"# Nouvelles\n\nMorvan Chaudières a été fondée en 1962 à Dole. Une commune a assigné Morvan Chaudières en justice en mai 2025 pour des chaudières qui fuient. La livraison de la nouvelle chaudière de Morvan Chaudières est retardée de cinq mois. Morvan Chaudières emploie 140 personnes.",
			[]string{"en justice", "retardée"}, "Quels sont les risques de Morvan Chaudières ?"},
		"¿Deberíamos elegir a Talvo Calderas como proveedor?": {"# Noticias\n\nTalvo Calderas fue fundada en 1962 en Lugo. Un municipio demandó a Talvo Calderas en mayo de 2025 por calderas con fugas. La entrega de la nueva caldera de Talvo Calderas se retrasa cinco meses. Talvo Calderas tiene 140 empleados.",
			[]string{"demandó", "se retrasa"}, "¿Cuáles son los riesgos de Talvo Calderas?"},
	} {
		files := t.TempDir()
		if err := os.WriteFile(filepath.Join(files, "a.md"), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		report := reportOver(t, files, question, "due-diligence")
		code := lang.Spoken(question)
		_, risks, _ := strings.Cut(report, "## "+code.Say("risks")+"\n")
		risks, rest, _ := strings.Cut(risks, "\n## ")
		for _, want := range c.risks {
			if !strings.Contains(risks, want) {
				t.Errorf("%s: no risk %q\n%s", question, want, report)
			}
		}
		for _, english := range []string{"Executive Summary", "Recommendation", "finding", "looked through", "Nothing was found"} {
			if strings.Contains(report, english) {
				t.Errorf("%s: %q\n%s", question, english, report)
			}
		}
		deep := reportOver(t, files, c.deep, "deep-research")
		for _, want := range c.risks {
			if summary, _, _ := strings.Cut(deep, "\n## "); !strings.Contains(summary, want) {
				t.Errorf("%s: no %q\n%s", c.deep, want, deep)
			}
		}
		if strings.Contains(risks, "140") || !strings.Contains(rest, "140") {
			t.Errorf("%s: figures are risks or lost\n%s", question, report)
		}
	}
}
