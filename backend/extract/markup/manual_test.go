package markup

import (
	"strings"
	"testing"

	"footnote/backend/extract/formattest"
)

func TestManualPagesAreReadAsShown(t *testing.T) {
	doc := extractString(t, "tool.1", `.\" a comment
.de Sp
.if n .sp
..
.ie n \{\
.    ds L" ""
'br\}
.el       .ds L" --
.TH TOOL 1 "2026\-03\-01" "1.2"
.SH NAME
tool \- opens \fBdoors\fR
.SH "HOW IT\(aqS CALLED"
.B tool
.RI [ options ]
.SS Options
.TP
.BR \-k ", " \-\-key=\fIfile\fR
The key that opens the door.
It is read once.
.TP
.B \-q
.TQ
.B \-\-quiet
Say nothing.
.IP \(bu 2
A point of a list.
.PP
\fBlist\fR [\fIPATTERN\fR]
.RS 4
Lists what is there.
.RE
.TP
.B alone
.PP
See also the notes of
.BR door (5).
.nf
tool \-k key
  door
.fi
.SH
Files
None; \*(L"all\*(R" is \e in one.
`)
	formattest.WantOutline(t, doc, `
heading1@10 NAME
paragraph0@11 tool - opens doors
heading1@12 HOW IT'S CALLED
paragraph0@13 tool [options]
heading2@15 Options
list0@18 -k, --key=file: The key that opens the door. It is read once.
list0@24 -q, --quiet: Say nothing.
list0@26 A point of a list.
list0@30 list [PATTERN]: Lists what is there.
list0@34 alone
paragraph0@35 See also the notes of door(5).
code0@38 tool -k key
  door
heading1@42 Files
paragraph0@43 None; “all” is \ in one.
`)
	if doc.Source.Title != "TOOL(1)" || strings.Contains(doc.Text, ".TP") {
		t.Errorf("%q", doc.Source.Title)
	}
}

func FuzzManual(f *testing.F) {
	f.Add([]byte(".TH A 1\n.SH B\n.TP\n.B \\-k\nwords \\f(CWx\\s-2\n.ie n \\{\\\n.el"))
	f.Fuzz(func(t *testing.T, data []byte) { formattest.Fuzz(t, ReadManual, data) })
}
