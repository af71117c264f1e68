package mail_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"footnote/backend/extract"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
	"footnote/backend/extract/mail"
)

const letter = `From: =?iso-8859-1?Q?Andr=E9_Pirard?= <andre@example.org>
To: =?utf-8?B?TWlyb3PFgmF3?= <m@example.org>,
 ann@example.org
Subject: =?utf-8?q?The_old_lens_=E2=80=94_a_report?=
Date: Fri, 16 Dec 2022 17:04:16 -0500
Content-Type: multipart/mixed; boundary="outer"

This is for old programs.
--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

The lens was ground in Li=E8ge and weighs four hundred kilo=
grams.
--inner
Content-Type: text/html

<p>The lens was ground in Li&egrave;ge and weighs four hundred kilograms.</p>
--inner--
--outer
Content-Type: application/octet-stream; name="costs.csv"
Content-Disposition: attachment; filename="costs.csv"
Content-Transfer-Encoding: base64

cGFydCxjb3N0CmxlbnMsNDAwMApsYW1wLDEyMAo=
--outer
Content-Type: image/png
Content-Disposition: attachment; filename*=utf-8''lens%20photo.png
Content-Transfer-Encoding: base64

iVBORw0KGgoAAAAA
--outer
Content-Type: message/rfc822

From: keeper@example.org
Subject: Lamp
Date: Thu, 15 Dec 2022 10:00:00 +0000

The lamp burns whale oil.
--outer--
`

func TestMessageIsReadWithItsHeadersTextAndAttachments(t *testing.T) {
	doc := extractString(t, "report.eml", strings.ReplaceAll(letter, "\n", "\r\n"))
	if doc.Source.Title != "The old lens — a report" || doc.Source.Published.UTC() != time.Date(2022, 12, 16, 22, 4, 16, 0, time.UTC) {
		t.Errorf("title %q of %v", doc.Source.Title, doc.Source.Published)
	}
	want := `The old lens — a report

From: André Pirard <andre@example.org>
To: Mirosław <m@example.org>, ann@example.org
Date: 16 December 2022 17:04 -0500

The lens was ground in Liège and weighs four hundred kilograms.

Attachment: costs.csv`
	if !strings.HasPrefix(doc.Text, want) {
		t.Errorf("got %s", doc.Text)
	}
	for _, more := range []string{"lens  4000", "Not read: lens photo.png", "Lamp\n\nFrom: keeper@example.org\nDate: 15 December 2022 10:00 +0000\n\nThe lamp burns whale oil."} {
		if !strings.Contains(doc.Text, more) {
			t.Errorf("no %q in %s", more, doc.Text)
		}
	}
}

func TestAttachmentThatCannotBeReadIsSaid(t *testing.T) {
	doc := extractString(t, "a.eml", "From: a@example.org\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee the plan.\n--x\nContent-Disposition: attachment; filename=plan.docx\n\nno archive\n--x--\n")
	if doc.Coverage.Truncated || !strings.Contains(doc.Coverage.Reason, "plan.docx") || !strings.Contains(doc.Text, "Not read: plan.docx (The file is damaged") {
		t.Errorf("%+v %s", doc.Coverage, doc.Text)
	}
}

func TestEncryptedMessageIsCalledSo(t *testing.T) {
	mail := "From: a@example.org\nContent-Type: multipart/encrypted; boundary=x\n\n--x\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--x--\n"
	if code := extractCode("a.eml", []byte(mail), format.DefaultLimits()); code != format.Encrypted {
		t.Errorf("got %s", code)
	}
}

func TestMailThatBreaksTheRulesIsReadAllTheSame(t *testing.T) {
	for name, mail := range map[string]string{
		"no closing boundary":   "From: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nthe words\n",
		"no boundary":           "From: a\nContent-Type: multipart/mixed;\n\nthe words\n",
		"bad parameters":        "From: a\nContent-Type: text/plain; charset=\"utf-8; =x\n\nthe words\n",
		"unknown charset":       "From: a\nContent-Type: text/plain; charset=x-nowhere\n\nthe words\n",
		"broken base64":         "From: a\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte("the words")) + "!x\n",
		"broken codes":          "From: a\nContent-Transfer-Encoding: quoted-printable\n\nthe =77ords =ZZ=",
		"a line that is none":   "From: a\nthis is no header\nX: y\n\nthe words\n",
		"cut out of a mailbox":  "From a@example.org Wed Jul 16 06:24:10 2008\nFrom: a\n\nthe words\n",
		"a damaged beginning":   "\x01\x02 garbage\nFrom: a\n\nthe words\n",
		"alternatives, one bad": "From: a\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\n\n--x\nContent-Type: text/html\n\n<b>the words</b>\n--x--",
	} {
		if doc := extractString(t, "a.eml", mail); !strings.Contains(doc.Text, "the words") {
			t.Errorf("%s: %q", name, doc.Text)
		}
	}
}

func TestMessagesInsideEachOtherEnd(t *testing.T) {
	mail := "the end"
	for range 200 {
		mail = "Subject: x\nContent-Type: message/rfc822\n\n" + mail
	}
	doc := extractString(t, "deep.eml", mail)
	if !doc.Coverage.Truncated {
		t.Error("nothing says that the depth was cut")
	}
	var many strings.Builder
	many.WriteString("Subject: many\nContent-Type: multipart/mixed; boundary=x\n\n")
	for i := range 5000 {
		fmt.Fprintf(&many, "--x\n\npart %d\n", i)
	}
	if doc = extractString(t, "many.eml", many.String()); !doc.Coverage.Truncated || !strings.Contains(doc.Text, "part 1000") {
		t.Errorf("%+v", doc.Coverage)
	}
}

const box = `From ann@example.org Wed Jan 30 18:07:01 2002
From: ann@example.org
Subject: First
Date: Wed, 30 Jan 2002 18:07:01 +0000

From here on it is text, which begins with a word that looks like a new message.

From the start the lamp was bright.
From ben@example.org Thu Jan 31 18:07:01 2002
From: ben@example.org
Subject: Second
Date: Thu, 31 Jan 2002 18:07:01 +0000

The second text.
`

func TestMailboxGivesEachMessageAHeadingWithItsDate(t *testing.T) {
	for _, name := range []string{"archive.mbox", "Inbox"} {
		doc := extractString(t, name, box)
		if got := strings.Count(formattest.Outline(doc), "heading1"); got != 2 || !strings.Contains(doc.Text, "Second (31 January 2002)") {
			t.Errorf("%s: %s", name, formattest.Outline(doc))
		}
		if !strings.Contains(doc.Text, "First (30 January 2002)") || !strings.Contains(doc.Text, "From the start the lamp was bright.") || doc.Source.Published.Day() != 31 {
			t.Errorf("%s of %v", doc.Text, doc.Source.Published)
		}
	}
	if code := extractCode("x.mbox", []byte("no mail"), format.DefaultLimits()); code != format.Malformed {
		t.Errorf("got %s", code)
	}
}

func TestHugeMailboxSaysWhereItEnds(t *testing.T) {
	lim := format.DefaultLimits()
	lim.Output = 1000
	doc, err := extract.Extract(context.Background(), mail.MailboxType, "big.mbox", []byte(strings.Repeat(box, 100)), lim)
	if err != nil || !doc.Coverage.Truncated || doc.Coverage.Reason == "" {
		t.Errorf("%v %+v", err, doc.Coverage)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	lim = format.DefaultLimits()
	lim.Time = 100 * time.Hour // four fifths are gone
	doc, err = extract.Extract(ctx, mail.MailboxType, "big.mbox", []byte(box), lim)
	if err != nil || !doc.Coverage.Truncated || strings.Contains(doc.Text, "Second") {
		t.Errorf("%v, read %q with no time left", err, doc.Text)
	}
}

func TestSavedPageIsReadAsAPage(t *testing.T) {
	page := "From: <Saved by Blink>\nSubject: The Lighthouse\nDate: Wed, 30 Jan 2002 18:07:01 +0000\nContent-Type: multipart/related; type=\"text/html\"; boundary=\"x\"\n\n" +
		"--x\nContent-Type: text/html; charset=windows-1252\nContent-Transfer-Encoding: quoted-printable\nContent-Location: https://example.org/\n\n" +
		"<h1>Skerry</h1><p>The caf=E9 below the tower.\n--x\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--x--\n"
	doc := extractString(t, "page.mhtml", page)
	if doc.Text != "Skerry\n\nThe café below the tower." || doc.Source.Published.IsZero() {
		t.Errorf("%q %v", doc.Text, doc.Source.Published)
	}
}

func FuzzExtractMail(f *testing.F) {
	f.Add([]byte(letter))
	f.Add([]byte(box))
	f.Add([]byte("From: a\nContent-Type: multipart/mixed; boundary=\"\"\n\n--\n--\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range []string{"message/rfc822", "application/mbox", "multipart/related"} {
			if doc, err := extract.Extract(context.Background(), kind, "a.eml", data, format.DefaultLimits()); err == nil {
				formattest.CheckDocument(t, doc)
			}
		}
	})
}
