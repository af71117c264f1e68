package privacy_test

import (
	"strings"
	"testing"

	"footnote/backend/privacy"
)

func TestOnlyDocumentsAreOpened(t *testing.T) {
	for _, name := range strings.Fields("a.pdf A.PDF notes.txt b.tar.docx /home/ann/x.md c.xlsx d.eml") {
		if !privacy.Opens(name) {
			t.Errorf("%s is a document", name)
		}
	}
	for _, name := range append(strings.Fields(`a.bat a.hta a.vbs a.js a.ps1 a.cmd a.desktop a.lnk a.exe a.com a.scr a.msi a.sh a.py a.jar a.app a.command a.url a.webloc
		a.docm a.xlsm a.pdf.exe a.pdf.lnk a.chm a.reg a.wsf a.AppImage pdf .pdf/x a`), "a.bat ", "a.hta.", "a.pdf\u202e.exe", "") {
		if privacy.Opens(name) {
			t.Errorf("%q would be opened", name)
		}
	}
}
