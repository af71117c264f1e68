package markup

import (
	"strings"
	"testing"

	"footnote/backend/extract/formattest"
)

func TestXMLForReadersIsReadAsItsText(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"DocBook": {`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE book PUBLIC "-//X//DTD DocBook//EN" "x.dtd" [<!ENTITY kapp "Till"><!ENTITY b "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"><!ENTITY c "&b;&b;">]>
<chapter id="c"><title
>Keeping the till</title>
<para
>Count the <guilabel
>float</guilabel
> of the &kapp; twice, with &Ctrl; &b; &c;, at 5 &lt; 6.<indexterm><primary>float</primary></indexterm></para>
<sect1><title>Steps</title>
<orderedlist><listitem><para>Open it.</para></listitem><listitem><para>Close it.</para></listitem></orderedlist>
<screen>till --open
till --close</screen>
<variablelist><varlistentry><term>-f</term><term><option>--float</option></term><listitem><para>What stays in the till.</para></listitem></varlistentry></variablelist>
<figure><title>A till</title></figure>
</sect1>
<sect1><title>After <emphasis>closing</emphasis></title><para>Go home.</para></sect1>
</chapter>`, `
heading1@0 Keeping the till
paragraph0@0 Count the float of the Till twice, with Ctrl b c, at 5 < 6.
heading2@0 Steps
list0@0 Open it.
list0@0 Close it.
code0@0 till --open
till --close
list0@0 -f, --float: What stays in the till.
paragraph0@0 A till
heading2@0 After closing
paragraph0@0 Go home.
`},
		"FictionBook": {`<FictionBook xmlns="x"><body><title><p>The Weir</p><p>Part one</p></title><section><p>The water rose at noon.</p></section></body><binary id="a">aGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8gaGVsbG8=</binary></FictionBook>`, `
heading1@0 The Weir Part one
paragraph0@0 The water rose at noon.
`},
		"a table": {`<topic><title>Tolls</title><body><p>What each boat pays at the weir, by its length, in the year of the flood.</p><simpletable><sthead><stentry>Boat</stentry><stentry>Toll</stentry></sthead><strow><stentry>Barge</stentry><stentry>9</stentry></strow></simpletable></body></topic>`, `
heading1@0 Tolls
paragraph0@0 What each boat pays at the weir, by its length, in the year of the flood.
row0@0 Boat  Toll
row0@0 Barge  9
`},
	} {
		t.Run(name, func(t *testing.T) { formattest.WantOutline(t, extractString(t, "a.xml", c.in), c.want) })
	}
}

func TestXMLThatIsDataStaysAsItStands(t *testing.T) {
	in := "<stock><item><name>Bolt</name><price>3</price><note><p>New.</p></note></item></stock>"
	if doc := extractString(t, "a.xml", in); doc.Text != in {
		t.Errorf("%q", doc.Text)
	}
}

func TestXMLOfTooManyPartsIsReadInPart(t *testing.T) {
	doc := extractString(t, "a.xml", "<book><para>It begins.</para>"+strings.Repeat("<para>x</para>", 250_000))
	if !doc.Coverage.Truncated || !strings.HasPrefix(doc.Text, "It begins.") {
		t.Errorf("%+v %.60q", doc.Coverage, doc.Text)
	}
}
