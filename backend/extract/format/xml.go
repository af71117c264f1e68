package format

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// XMLWalk reads an XML part element by element: no document type, no entities
// but the five, no more than depth open elements.
//
// open is called for each start element and may return a skip; text for
// character data; close for each end. Names come without namespace.
type XMLWalk struct {
	Open  func(name string, attr XMLAttrs) (skip bool)
	Text  func(s string)
	Close func(name string)
}

// XMLAttrs finds attributes by local name.
type XMLAttrs []xml.Attr

// Get is the value of an attribute by its local name; empty where there is none.
func (a XMLAttrs) Get(name string) string {
	for _, attr := range a {
		if attr.Name.Local == name {
			return attr.Value
		}
	}
	return ""
}

// Run reads until the end of the part. Damage gives a Malformed *Error; limits
// of the archive pass through.
func (w XMLWalk) Run(r io.Reader, depth int) error {
	d := xml.NewDecoder(r)
	d.Strict = true
	open := 0
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			if open > 0 {
				return Fail(Malformed, "The file is damaged: it breaks off.", io.ErrUnexpectedEOF)
			}
			return nil
		}
		if err != nil {
			return xmlError(err)
		}
		switch t := token.(type) {
		case xml.Directive:
			if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(string(t))), "DOCTYPE") {
				return Fail(Malformed, "The file holds a document type definition, which no document needs.", nil)
			}
		case xml.StartElement:
			if open++; open > depth {
				return Fail(Malformed, "The file nests its parts too deeply.", nil)
			}
			if w.Open(t.Name.Local, XMLAttrs(t.Attr)) {
				if err := skipElement(d, depth-open); err != nil {
					return err
				}
				open--
			}
		case xml.EndElement:
			open--
			w.Close(t.Name.Local)
		case xml.CharData:
			w.Text(string(t))
		}
	}
}

// skipElement reads to the end of the element that has just begun.
func skipElement(d *xml.Decoder, depth int) error {
	for open := 1; open > 0; {
		token, err := d.RawToken()
		if err != nil {
			return xmlError(err)
		}
		switch token.(type) {
		case xml.StartElement:
			if open++; open > depth {
				return Fail(Malformed, "The file nests its parts too deeply.", nil)
			}
		case xml.EndElement:
			open--
		}
	}
	return nil
}

func xmlError(err error) error {
	var limit *Error
	if errors.As(err, &limit) {
		return limit
	}
	return Fail(Malformed, "The file is damaged: its text cannot be read.", err)
}

// WalkPart reads a side part of which nothing is required: what is damaged there
// is as good as missing.
func WalkPart(a *Archive, name string, lim Limits, w XMLWalk) {
	if w.Text == nil {
		w.Text = func(string) {}
	}
	if w.Close == nil {
		w.Close = func(string) {}
	}
	_ = WalkWhole(a, name, lim, w) // a side part's damage is no error of the document
}

// WalkWhole reads a part that the document cannot do without.
func WalkWhole(a *Archive, name string, lim Limits, w XMLWalk) error {
	rc, err := a.Open(name)
	if err != nil {
		return err
	}
	defer rc.Close()
	return w.Run(rc, lim.XMLDepth)
}
