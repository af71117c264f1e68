package legacy

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

// biffBytes writes records one behind the other: number and content in turn.
func biffBytes(parts ...any) string {
	var out []byte
	for i := 0; i < len(parts); i += 2 {
		body := []byte(parts[i+1].(string))
		out = binary.LittleEndian.AppendUint16(out, uint16(parts[i].(int)))
		out = binary.LittleEndian.AppendUint16(out, uint16(len(body)))
		out = append(out, body...)
	}
	return string(out)
}

// le writes numbers of 16 bits.
func le(numbers ...int) string {
	var out []byte
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
	}
	return string(out)
}

func float64Bytes(v float64) string {
	return string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
}

// wideText is a text of BIFF8 behind its length.
func wideText(s string) string {
	return le(len(utf16.Encode([]rune(s)))) + "\x01" + formattest.UTF16Of(s)
}

type testSheet struct{ name, state, rows string }

// biffBook puts globals and sheets together: versions from 0x600 on lie in the
// stream of the newer Excel.
func biffBook(version int, globals string, sheets ...testSheet) []byte {
	head := biffBytes(biffStart, le(version, 5, 0, 0)) + globals
	name := func(s testSheet) string {
		if version < biff8 {
			return string(rune(len(s.name))) + s.name
		}
		return string(rune(len(s.name))) + "\x00" + s.name
	}
	at := len(head) + len(biffBytes(biffEnd, ""))
	for _, s := range sheets {
		at += len(biffBytes(biffBoundSheet, "1234"+s.state+name(s)))
	}
	body := ""
	for _, s := range sheets {
		head += biffBytes(biffBoundSheet, le((at+len(body))&0xFFFF, (at+len(body))>>16)+s.state+name(s))
		body += biffBytes(biffStart, le(version, 0x10, 0, 0)) + s.rows + biffBytes(biffEnd, "")
	}
	stream := "Workbook"
	if version < biff8 {
		stream = "Book"
	}
	return formattest.ContainerOf(stream, head+biffBytes(biffEnd, "")+body)
}

// costsBook has a cell of each kind.
func costsBook() []byte {
	text := func(row, column, n int) string { return biffBytes(biffLabelSST, le(row, column, 0, n, 0)) }
	shared := []string{"Item", "Sum", "Größe — “m”", "Rent"}
	sst := biffBytes(biffSST, le(4, 0, 4, 0)+wideText(shared[0])+wideText(shared[1])+le(len([]rune(shared[2])))+"\x09"+le(1)+formattest.UTF16Of("Größe")) +
		biffBytes(biffContinue, "\x01"+formattest.UTF16Of(" — “m”")+le(0, 0)+le(4)+"\x00Re") + biffBytes(biffContinue, "\x00nt")
	formula := func(row, column int, result string) string {
		return biffBytes(biffFormula, le(row, column, 1)+result+le(0, 0, 0, 0))
	}
	rows := text(0, 1, 0) + text(0, 2, 1) + text(0, 3, 2) +
		text(2, 1, 3) + // rows need not be in order
		biffBytes(biffMulRK, le(1, 1, 1)+le(1<<2|2, 0)+le(2)+le(1250<<2|3, 0)+le(2)) +
		biffBytes(biffNumber, le(1, 3, 3)+float64Bytes(45352)) +
		biffBytes(biffStart, le(biff8, 0x20), biffNumber, le(9, 9, 0)+float64Bytes(7), biffEnd, "") + // a chart on the sheet
		biffBytes(biffRK, le(2, 2, 2)+le(0, 0x3FC0)) +
		formula(2, 3, float64Bytes(1234.5)) + formula(2, 4, "\x01\x00\x01\x00\x00\x00\xFF\xFF") + formula(2, 5, "\x02\x00\x07\x00\x00\x00\xFF\xFF") +
		formula(3, 1, "\x00\x00\x00\x00\x00\x00\xFF\xFF") + biffBytes(0x04BC, "shared") + biffBytes(biffString, wideText("Total")) +
		formula(3, 2, "\x03\x00\x00\x00\x00\x00\xFF\xFF") + biffBytes(biffBoolErr, le(3, 3, 0)+"\x00\x00") +
		biffBytes(biffLabel, le(5, 0, 0)+wideText("After a gap"))
	styles := biffBytes(biffXF, le(0, 0), biffXF, le(0, 165), biffXF, le(0, 164), biffXF, le(0, 14))
	return biffBook(biff8, biffBytes(biffCodePage, le(1200), biffFormat, le(164)+wideText("#,##0.00 €"), biffFormat, le(165)+wideText("GENERAL"))+styles+sst,
		testSheet{"Costs", "\x00\x00", rows}, testSheet{"Blank", "\x00\x00", ""}, testSheet{"Chart", "\x00\x02", ""},
		testSheet{"Secret", "\x01\x00", biffBytes(biffLabel, le(0, 0, 0)+wideText("kept apart"))})
}

func TestAnOldWorkbookIsReadAsShown(t *testing.T) {
	doc := extractString(t, "a.xls", string(costsBook()))
	formattest.WantOutline(t, doc, `
heading1@0 Costs
row0@1 Item  Sum  Größe — “m”
row0@2 1  12.50 €  2024-03-01
row0@3 Rent  0.13 €  1234.5  TRUE  #DIV/0!
row0@4 Total  FALSE
row0@6 After a gap
heading1@0 Secret (hidden)
row0@1 kept apart
`)
	if got := evidence.PlaceAt(doc, strings.Index(doc.Text, "Rent")); got != "Sheet 'Costs' B3:F3" {
		t.Errorf("place %q", got)
	}
	if doc.Coverage.Pages != 3 || doc.Coverage.Share() != 1 || doc.Coverage.Truncated {
		t.Errorf("%+v", doc.Coverage)
	}
}

func TestAWorkbookOfExcel5IsReadInItsCodePage(t *testing.T) {
	rows := biffBytes(biffLabel, le(0, 0, 0, 4)+"\xcf\xe5\xf2\xf0", biffRString, le(1, 0, 0, 2)+"ab\x01\x02", biffFormula, le(1, 1, 0)+"\x00\x00\x00\x00\x00\x00\xFF\xFF"+le(0, 0), biffString, le(3)+"\xe4\xe0!")
	doc := extractString(t, "a.xls", string(biffBook(0x500, biffBytes(biffDate1904, le(1), biffCodePage, le(1251)), testSheet{"Old", "\x00\x00", rows})))
	if want := "Old\nПетр\nab  да!"; strings.ReplaceAll(doc.Text, "\n\n", "\n") != want {
		t.Errorf("got %q", doc.Text)
	}
}

func TestDatesOfWorkbooksCountFromTheirDay(t *testing.T) {
	rows := biffBytes(biffNumber, le(0, 0, 0)+float64Bytes(43831))
	for epoch, want := range map[int]string{0: "2020-01-01", 1: "2024-01-02"} {
		doc := extractString(t, "a.xls", string(biffBook(biff8, biffBytes(biffDate1904, le(epoch), biffXF, le(0, 14)), testSheet{"Days", "\x00\x00", rows})))
		if !strings.HasSuffix(doc.Text, want) {
			t.Errorf("epoch %d: %q, want %s", epoch, doc.Text, want)
		}
	}
}

func TestDamagedWorkbooksSayWhatIsMissing(t *testing.T) {
	good := testSheet{"Good", "\x00\x00", biffBytes(biffLabel, le(0, 0, 0)+wideText("kept"))}
	lost := testSheet{"Lost", "\x00\x00", biffBytes(biffLabelSST, le(0, 0, 0, 9, 0)) + "\x03\x02\xFF\x7F"}
	doc := extractString(t, "a.xls", string(biffBook(biff8, "", good, lost)))
	if !strings.Contains(doc.Text, "kept") || !doc.Coverage.Truncated || !strings.Contains(doc.Coverage.Reason, "sheet") {
		t.Errorf("%q %+v", doc.Text, doc.Coverage)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"locked":   {biffBook(biff8, biffBytes(biffFilePass, le(1)), good), format.Encrypted},
		"cut":      {formattest.ContainerOf("Workbook", "\x09\x08\x10\x00\x00\x06"), format.Malformed},
		"no sheet": {biffBook(biff8, ""), format.Malformed},
		"blank":    {biffBook(biff8, "", testSheet{"A", "\x00\x00", ""}), format.Empty},
	} {
		if got := extractCode("a.xls", c.data, format.DefaultLimits()); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// largestStream is what the writer of containers can link.
const largestStream = 56 << 10

func FuzzExtractXLS(f *testing.F) {
	stream := func(data []byte) []byte {
		c, err := format.OpenContainer(data, format.DefaultLimits())
		if err != nil {
			f.Fatal(err)
		}
		return slices.Concat(c.Streams["Workbook"], c.Streams["Book"])
	}
	f.Add(stream(costsBook()))
	f.Add(stream(biffBook(0x500, biffBytes(biffCodePage, le(1251)), testSheet{"Old", "\x00\x00", biffBytes(biffLabel, le(0, 0, 0, 1)+"x")})))
	f.Fuzz(func(t *testing.T, records []byte) {
		if len(records) < largestStream {
			formattest.Fuzz(t, Reader(nil), formattest.ContainerOf("Workbook", string(records)))
		}
	})
}
