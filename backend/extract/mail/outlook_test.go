package mail_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"footnote/backend/extract"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

// propsOf writes fixed properties behind a head of some bytes.
func propsOf(head int, props map[int]uint64) string {
	out := make([]byte, head)
	for prop, value := range props {
		out = binary.LittleEndian.AppendUint16(out, 3)
		out = binary.LittleEndian.AppendUint16(out, uint16(prop))
		out = binary.LittleEndian.AppendUint32(out, 0)
		out = binary.LittleEndian.AppendUint64(out, value)
	}
	return string(out)
}

// outlookFile is a message with a file, a picture and another message attached.
func outlookFile() []byte {
	file, picture, inner := "__attach_version1.0_#00000000", "__attach_version1.0_#00000001", "__attach_version1.0_#00000002"
	message := inner + "/__substg1.0_3701000D"
	return formattest.ContainerOf(
		"__properties_version1.0", propsOf(32, map[int]uint64{0x0E06: 130291900000000000, 0x3FFD: 1251}),
		"__substg1.0_0037001F", formattest.UTF16Of("Fähre 1911"),
		"__substg1.0_0C1A001F", formattest.UTF16Of("Anna Lorne"),
		"__substg1.0_5D01001F", formattest.UTF16Of("anna@lorne.example"),
		"__substg1.0_0E04001E", "\xcf\xe5\xf2\xf0", // Петр
		"__substg1.0_1000001F", formattest.UTF16Of("The ferry sank.\r\nNobody drowned."),
		"__substg1.0_10130102", "<html><body><p>The ferry sank.</p></body></html>",
		file+"/", "", file+"/__substg1.0_3707001F", formattest.UTF16Of("list.csv"), file+"/__substg1.0_37010102", "name,berth\nLorne,4\n",
		picture+"/", "", picture+"/__substg1.0_3704001F", formattest.UTF16Of("logo.gif"), picture+"/__substg1.0_37010102", "GIF89a\x00\x01",
		inner+"/", "", message+"/", "",
		message+"/__properties_version1.0", propsOf(24, nil),
		message+"/__substg1.0_0037001F", formattest.UTF16Of("Earlier"),
		message+"/__substg1.0_1000001F", formattest.UTF16Of("It will sail at noon."),
	)
}

func TestAMessageOfOutlookIsReadWithWhatCameAlong(t *testing.T) {
	doc := extractString(t, "a.msg", string(outlookFile()))
	for _, want := range []string{
		"From: Anna Lorne <anna@lorne.example>", "To: Петр", "Date: 17 November 2013", "The ferry sank.", "Nobody drowned.",
		"Attachment: list.csv", "Lorne", "Not read: logo.gif", "Earlier", "It will sail at noon.",
	} {
		if !strings.Contains(doc.Text, want) {
			t.Errorf("no %q in\n%s", want, doc.Text)
		}
	}
	if doc.Source.Title != "Fähre 1911" || doc.Source.Published.Year() != 2013 {
		t.Errorf("%+v", doc.Source)
	}
	other := extractString(t, "b.msg", "From: a@example.org\nSubject: Plain\n\nSaved by another program.\n")
	if other.Source.Title != "Plain" || !strings.Contains(other.Text, "another program") {
		t.Errorf("%q", other.Text)
	}
}

func FuzzExtractOutlook(f *testing.F) {
	f.Add(propsOf(32, map[int]uint64{0x0E06: 130291900000000000, 0x3FFD: 1251}), formattest.UTF16Of("Fähre 1911"), "<p>The ferry sank.</p>", "{\\rtf1 words}")
	f.Add("", "\xcf\xe5\xf2\xf0", "", "LZFu\x00\x00")
	f.Fuzz(func(t *testing.T, props, subject, page, packed string) {
		inner := "__attach_version1.0_#00000000/__substg1.0_3701000D"
		message := formattest.ContainerOf(
			"__properties_version1.0", props, "__substg1.0_0037001F", subject, "__substg1.0_0C1A001E", subject, "__substg1.0_10130102", page, "__substg1.0_10090102", packed,
			"__attach_version1.0_#00000000/", "", inner+"/", "", inner+"/__properties_version1.0", props, inner+"/__substg1.0_1000001F", subject,
		)
		doc, err := extract.Extract(t.Context(), "application/vnd.ms-outlook", "a.msg", message, format.DefaultLimits())
		if err == nil {
			formattest.CheckDocument(t, doc)
		} else if strings.Contains(err.Error(), "parser panic") {
			t.Fatal(err)
		}
	})
}
