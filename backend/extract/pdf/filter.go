package pdf

import (
	"bytes"
	"compress/flate"
	"encoding/ascii85"
	"encoding/hex"
	"io"
	"regexp"
	"strconv"
	"strings"

	"footnote/backend/extract/format"
)

var (
	filterKey = regexp.MustCompile(`/(?:Filter|F)\s*(\[[^\]]{0,300}\]|/[A-Za-z0-9]+)`)
	filterRef = regexp.MustCompile(`/(Filter|DecodeParms)\s*\[?\s*\d+\s+\d+\s+R`)
	nameToken = regexp.MustCompile(`/([A-Za-z0-9]+)`)
)

// parserReads reports whether the parser can unpack a stream of this dictionary
// itself: no filter, or deflate without predictor.
func parserReads(dict string) bool {
	f := filterKey.FindStringSubmatch(dict)
	if f == nil || filterRef.MatchString(dict) {
		return true // none, or one that only the parser can look up
	}
	return strings.Trim(f[1], "[]/ \r\n\t") == "FlateDecode" && !strings.Contains(dict, "/Predictor")
}

// unpack applies a stream's filters. A damaged stream gives what could be read;
// a filter of pictures gives nothing. Too much is a TooLarge *Error.
func (m *mended) unpack(dict string, raw []byte) ([]byte, error) {
	f := filterKey.FindStringSubmatch(dict)
	body := raw
	if f == nil {
		return body, nil
	}
	for i, name := range nameToken.FindAllStringSubmatch(f[1], 8) {
		r := filter(name[1], body, number(dict, "EarlyChange", 1))
		if r == nil {
			return nil, nil
		}
		limit := min(m.lim.Entry, m.lim.Archive-m.used)
		out, _ := io.ReadAll(io.LimitReader(r, limit+1)) // what was read before the damage counts
		if int64(len(out)) > limit {
			return nil, format.Fail(format.TooLarge, "The PDF unpacks to far more than a document holds.", nil)
		}
		body = out
		if predictor := number(dict, "Predictor", 1); i == 0 && predictor > 1 && predictor != 2 {
			body = unpredict(body, number(dict, "Columns", 1), number(dict, "Colors", 1), number(dict, "BitsPerComponent", 8))
		}
	}
	m.used += int64(len(body))
	return body, nil
}

// number is a direct integer of a dictionary.
func number(dict, key string, otherwise int) int {
	i := strings.Index(dict, "/"+key)
	if i < 0 {
		return otherwise
	}
	rest := strings.TrimLeft(dict[i+1+len(key):], " \r\n\t")
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	n, err := strconv.Atoi(rest[:end])
	if err != nil || n > 1<<20 {
		return otherwise
	}
	return n
}

// filter unpacks one layer; nil when it is one of pictures or unknown.
func filter(name string, body []byte, early int) io.Reader {
	switch name {
	case "FlateDecode", "Fl":
		if len(body) < 2 {
			return bytes.NewReader(nil)
		}
		return flate.NewReader(bytes.NewReader(body[2:])) // without the checksum, which damaged files miss
	case "LZWDecode", "LZW":
		return &lzwReader{in: body, early: early}
	case "ASCIIHexDecode", "AHx":
		return bytes.NewReader(unhex(body))
	case "ASCII85Decode", "A85":
		body, _, _ = bytes.Cut(bytes.TrimPrefix(bytes.TrimSpace(body), []byte("<~")), []byte("~"))
		return ascii85.NewDecoder(bytes.NewReader(body))
	case "RunLengthDecode", "RL":
		return bytes.NewReader(unrun(body))
	case "Crypt":
		return bytes.NewReader(body)
	}
	return nil
}

func unhex(body []byte) []byte {
	digits := make([]byte, 0, len(body))
	for _, c := range body {
		if c == '>' {
			break
		}
		if c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'f' {
			digits = append(digits, c)
		}
	}
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	out := make([]byte, len(digits)/2)
	n, _ := hex.Decode(out, digits) // only hex digits are left
	return out[:n]
}

func unrun(body []byte) []byte {
	var out []byte
	for i := 0; i < len(body) && body[i] != 128; {
		n := int(body[i])
		i++
		if n < 128 {
			end := min(i+n+1, len(body))
			out = append(out, body[i:end]...)
			i = end
		} else if i < len(body) {
			out = append(out, bytes.Repeat(body[i:i+1], 257-n)...)
			i++
		}
	}
	return out
}

// unpredict undoes the PNG predictors, a filter byte a row.
func unpredict(body []byte, columns, colors, bits int) []byte {
	width := (columns*colors*bits + 7) / 8
	step := max(1, colors*bits/8)
	if width <= 0 {
		return body
	}
	out := make([]byte, 0, len(body))
	before := make([]byte, width)
	for len(body) > 1 {
		kind, line := body[0], make([]byte, width)
		n := copy(line, body[1:])
		body = body[1+n:]
		for i := range line {
			var left, corner byte
			if i >= step {
				left, corner = line[i-step], before[i-step]
			}
			switch kind {
			case 1:
				line[i] += left
			case 2:
				line[i] += before[i]
			case 3:
				line[i] += byte((int(left) + int(before[i])) / 2)
			case 4:
				line[i] += paeth(left, before[i], corner)
			}
		}
		out = append(out, line[:n]...)
		before = line
	}
	return out
}

func paeth(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	pa, pb, pc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c))
	switch {
	case pa <= pb && pa <= pc:
		return a
	case pb <= pc:
		return b
	}
	return c
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// lzwReader unpacks the LZW of PDF: high bits first, codes of 9 to 12 bits.
type lzwReader struct {
	in    []byte
	early int
	bits  uint32
	have  int
	table [][]byte
	prev  []byte
	pend  []byte
	done  bool
}

// Read gives the next bytes; damage is the end.
func (l *lzwReader) Read(p []byte) (int, error) {
	for len(l.pend) == 0 {
		if l.done || !l.next() {
			return 0, io.EOF
		}
	}
	n := copy(p, l.pend)
	l.pend = l.pend[n:]
	return n, nil
}

func (l *lzwReader) next() bool {
	width := 9
	for size := len(l.table) + l.early; width < 12 && size >= 1<<width; {
		width++
	}
	for l.have < width {
		if len(l.in) == 0 {
			return false
		}
		l.bits, l.have, l.in = l.bits<<8|uint32(l.in[0]), l.have+8, l.in[1:]
	}
	code := int(l.bits>>(l.have-width)) & (1<<width - 1)
	l.have -= width
	switch {
	case code == 256 || l.table == nil:
		l.reset()
		if code == 256 {
			return true
		}
	case code == 257:
		l.done = true
		return false
	}
	var out []byte
	switch {
	case code < len(l.table):
		out = l.table[code]
	case code == len(l.table) && l.prev != nil:
		out = append(bytes.Clone(l.prev), l.prev[0])
	default:
		return false
	}
	if l.prev != nil && len(l.table) < 4096 {
		l.table = append(l.table, append(bytes.Clone(l.prev), out[0]))
	}
	l.prev, l.pend = out, out
	return true
}

func (l *lzwReader) reset() {
	l.table = make([][]byte, 258, 4096)
	for i := range 256 {
		l.table[i] = []byte{byte(i)}
	}
	l.prev = nil
}

// readSegments reads from two byte slices as one.
func readSegments(p []byte, off int64, a, b []byte) (int, error) {
	n := 0
	if off < 0 {
		return 0, io.EOF
	}
	if off < int64(len(a)) {
		n = copy(p, a[off:])
		off += int64(n)
	}
	if n < len(p) && off-int64(len(a)) < int64(len(b)) {
		n += copy(p[n:], b[off-int64(len(a)):])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
