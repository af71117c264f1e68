package extract

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// xmlWalk reads an XML part element by element: no document type, no entities
// but the five, no more than depth open elements.
//
// open is called for each start element and may return a skip; text for
// character data; close for each end. Names come without namespace.
type xmlWalk struct {
	open  func(name string, attr xmlAttrs) (skip bool)
	text  func(s string)
	close func(name string)
}

// xmlAttrs finds attributes by local name.
type xmlAttrs []xml.Attr

func (a xmlAttrs) get(name string) string {
	for _, attr := range a {
		if attr.Name.Local == name {
			return attr.Value
		}
	}
	return ""
}

// run reads until the end of the part. Damage gives a Malformed *Error; limits
// of the archive pass through.
func (w xmlWalk) run(r io.Reader, depth int) error {
	d := xml.NewDecoder(r)
	d.Strict = true
	open := 0
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			if open > 0 {
				return fail(Malformed, "The file is damaged: it breaks off.", io.ErrUnexpectedEOF)
			}
			return nil
		}
		if err != nil {
			return xmlError(err)
		}
		switch t := token.(type) {
		case xml.Directive:
			if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(string(t))), "DOCTYPE") {
				return fail(Malformed, "The file holds a document type definition, which no document needs.", nil)
			}
		case xml.StartElement:
			if open++; open > depth {
				return fail(Malformed, "The file nests its parts too deeply.", nil)
			}
			if w.open(t.Name.Local, xmlAttrs(t.Attr)) {
				if err := skipElement(d, depth-open); err != nil {
					return err
				}
				open--
			}
		case xml.EndElement:
			open--
			w.close(t.Name.Local)
		case xml.CharData:
			w.text(string(t))
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
				return fail(Malformed, "The file nests its parts too deeply.", nil)
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
	return fail(Malformed, "The file is damaged: its text cannot be read.", err)
}
