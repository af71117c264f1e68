package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"net/mail"
	"strings"
	"time"

	"golang.org/x/net/html/charset"

	"footnote/backend/extract/format"
)

// mimePart is one part of a message: its headers and the bytes behind them, still
// encoded. Mail in the wild breaks most rules, so nothing here gives an error:
// a header that cannot be understood is as good as none.
type mimePart struct {
	header map[string]string // lower-case name → first value, unfolded
	body   []byte
	kind   string            // media type, lower case
	params map[string]string // of the media type
}

// maxHeader is how many bytes of a part may be headers.
const maxHeader = 1 << 20

// parsePart splits headers from body at the first blank line. Bytes that do not
// begin with a header are all body.
func parsePart(data []byte) mimePart {
	p := mimePart{header: map[string]string{}}
	name := ""
	for rest := data; ; {
		line, next, more := cutLine(rest)
		if len(line) == 0 { // the blank line, or the end
			p.body = next
			break
		}
		if len(data)-len(rest) > maxHeader {
			p.body = rest
			break
		}
		switch colon := bytes.IndexByte(line, ':'); {
		case (line[0] == ' ' || line[0] == '\t') && name != "":
			p.header[name] += " " + strings.TrimSpace(string(line))
		case isHeaderName(line, colon):
			name = strings.ToLower(string(line[:colon]))
			if _, twice := p.header[name]; twice {
				name += " again"
			}
			p.header[name] = strings.TrimSpace(string(line[colon+1:]))
		case len(p.header) == 0:
			p.body = data
			p.setKind()
			return p
		}
		if !more {
			break
		}
		rest = next
	}
	p.setKind()
	return p
}

func isHeaderName(line []byte, colon int) bool {
	if colon <= 0 || colon > 80 {
		return false
	}
	for _, c := range line[:colon] {
		if c <= ' ' || c >= 127 {
			return false
		}
	}
	return true
}

// cutLine gives a line without its end, and what follows.
func cutLine(data []byte) (line, rest []byte, more bool) {
	line, rest, more = bytes.Cut(data, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), rest, more
}

// setKind reads the media type. Parameters that break the rules are looked for
// by name.
func (p *mimePart) setKind() {
	value := p.header["content-type"]
	kind, params, err := mime.ParseMediaType(value)
	if err != nil {
		kind, _, _ = strings.Cut(value, ";")
		params = map[string]string{}
		for _, key := range []string{"boundary", "charset", "name"} {
			params[key] = looseParam(value, key)
		}
	}
	p.kind, p.params = strings.ToLower(strings.TrimSpace(kind)), params
	if p.kind == "" || !strings.Contains(p.kind, "/") {
		p.kind = "text/plain"
	}
}

// looseParam finds key=value in a header that is not well formed.
func looseParam(header, key string) string {
	at := strings.Index(strings.ToLower(header), key+"=")
	if at < 0 {
		return ""
	}
	value := header[at+len(key)+1:]
	if quoted, ok := strings.CutPrefix(value, `"`); ok {
		value, _, _ = strings.Cut(quoted, `"`)
		return value
	}
	value, _, _ = strings.Cut(value, ";")
	return strings.TrimSpace(value)
}

// fileName is the name that the sender gave the part; empty when none.
func (p *mimePart) fileName() string {
	disposition := p.header["content-disposition"]
	_, params, err := mime.ParseMediaType(disposition)
	name := params["filename"]
	if err != nil {
		name = looseParam(disposition, "filename")
	}
	if name == "" {
		name = p.params["name"]
	}
	return format.Clean(decodeWords(name), false)
}

func (p *mimePart) attached() bool {
	disposition, _, _ := strings.Cut(p.header["content-disposition"], ";")
	return strings.EqualFold(strings.TrimSpace(disposition), "attachment")
}

// decoded is the body without its transfer encoding. Damaged base64 gives what
// stands before the damage.
func (p *mimePart) decoded() []byte {
	switch strings.ToLower(strings.TrimSpace(p.header["content-transfer-encoding"])) {
	case "base64":
		return decodeBase64(p.body)
	case "quoted-printable":
		return decodeQuoted(p.body)
	}
	return p.body
}

func decodeBase64(body []byte) []byte {
	kept := make([]byte, 0, len(body))
	for _, c := range body {
		if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' {
			kept = append(kept, c)
		}
	}
	if len(kept)%4 == 1 {
		kept = kept[:len(kept)-1]
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(kept)))
	n, _ := base64.RawStdEncoding.Decode(out, kept) // only letters of the alphabet are left: it decodes
	return out[:n]
}

// decodeQuoted reads quoted-printable; what is no valid code stays as it is.
func decodeQuoted(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		if body[i] != '=' {
			out = append(out, body[i])
			continue
		}
		line, _, more := cutLine(body[i+1:])
		if more && len(bytes.TrimRight(line, " \t")) == 0 { // a soft line end
			i += 1 + bytes.IndexByte(body[i+1:], '\n')
			continue
		}
		hi, lo := -1, -1
		if i+2 < len(body) {
			hi, lo = hexDigit(body[i+1]), hexDigit(body[i+2])
		}
		if hi < 0 || lo < 0 {
			out = append(out, '=')
			continue
		}
		out = append(out, byte(hi<<4|lo))
		i += 2
	}
	return out
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// parts splits a multipart body, of which at most limit parts. A part that is
// not closed ends with the body; without a boundary there are none.
func (p *mimePart) parts(limit int) (parts []mimePart, cut bool) {
	boundary := p.params["boundary"]
	if boundary == "" {
		return nil, false
	}
	mark := []byte("--" + boundary)
	begin := -1
	for at := 0; at < len(p.body); {
		line, rest, _ := cutLine(p.body[at:])
		if after, ok := bytes.CutPrefix(line, mark); ok {
			after = bytes.TrimRight(after, " \t")
			if last := bytes.Equal(after, []byte("--")); last || len(after) == 0 {
				if begin >= 0 {
					parts = append(parts, parsePart(p.body[begin:at]))
				}
				begin = len(p.body) - len(rest)
				if last {
					return parts, false
				}
				if len(parts) >= limit {
					return parts, true
				}
			}
		}
		at = len(p.body) - len(rest)
	}
	if begin >= 0 && begin < len(p.body) {
		parts = append(parts, parsePart(p.body[begin:]))
	}
	return parts, false
}

// text is a header as people read it.
func (p *mimePart) text(name string) string {
	return format.Clean(decodeWords(format.ToUTF8([]byte(p.header[name]), p.params["charset"])), false)
}

// decodeWords reads encoded words (RFC 2047); what cannot be read stays as it is.
func decodeWords(s string) string {
	decoder := mime.WordDecoder{CharsetReader: func(name string, in io.Reader) (io.Reader, error) { return charset.NewReaderLabel(name, in) }}
	if out, err := decoder.DecodeHeader(s); err == nil {
		return out
	}
	return s
}

// date is when the message was sent; zero when it does not say.
func (p *mimePart) date() time.Time {
	value := p.header["date"]
	if t, err := mail.ParseDate(value); err == nil {
		return t
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", time.ANSIC, "Mon, 2 Jan 2006", "2 Jan 2006"} {
		if t, err := time.Parse(layout, value); err == nil {
			return t
		}
	}
	return time.Time{}
}
