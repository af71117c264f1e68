package ocr

import (
	"testing"

	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
	"footnote/backend/extract/layout"
)

func TestPicturesAreTurned(t *testing.T) {
	upright := []byte("P5\n3 2\n255\nabcdef")
	for quarters, want := range []string{"P5\n3 2\n255\nabcdef", "P5\n2 3\n255\ndaebfc", "P5\n3 2\n255\nfedcba", "P5\n2 3\n255\ncfbead"} {
		got, err := Turn(upright, quarters)
		if err != nil || string(got) != want {
			t.Errorf("%d quarters: %q, %v", quarters, got, err)
		}
	}
	for _, bad := range []string{"", "P5\n3 2\n255\nabc", "P5\n-3 2\n255\nabcdef", "P5\n3 2\n65535\nabcdef", "P5\n99999999 99999999\n255\n"} {
		if got, err := Turn([]byte(bad), 2); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestRecognisedWordsBecomeLines(t *testing.T) {
	table := "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
		"1\t1\t0\t0\t0\t0\t0\t0\t1000\t1000\t-1\t\n" +
		"5\t1\t1\t1\t1\t1\t100\t100\t80\t30\t96.5\tThe\n" +
		"5\t1\t1\t1\t1\t2\t190\t100\t90\t30\t91\tlamp\n" +
		"5\t1\t1\t1\t1\t3\t290\t100\t90\t30\t5\t|;~\n" +
		"5\t1\t1\t1\t2\t1\t100\t140\t80\t30\t20\twhale\n" +
		"5\t2\t1\t1\t1\t1\t100\t100\t80\t30\t96\tsecond\n" +
		"5\tbad\trow\n"
	pages := readRecognised([]byte(table))
	if len(pages) != 2 || len(pages[0].Lines) != 2 || pages[0].Lines[0].Text != "The lamp" || pages[0].Garbled != 5 || pages[1].Lines[0].Text != "second" {
		t.Errorf("%+v", pages)
	}
}

// FuzzTables reads what tesseract writes about a picture.
func FuzzTables(f *testing.F) {
	f.Add([]byte("5\t1\t1\t1\t1\t1\t100\t100\t80\t30\t96.5\tThe\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := format.NewBuilder(1 << 20)
		layout.WritePages(b, readRecognised(data), "")
		formattest.CheckDocument(t, b.Document())
	})
}
