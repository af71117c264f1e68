package pdf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"

	"footnote/backend/extract/format"
)

// The parser behind Read believes what a file says about itself: it follows
// Prev chains for ever, makes tables of any declared size, refuses a file with
// a byte too much at either end, and unpacks an object stream again for each
// object. So it never sees the file's own cross-reference. mend finds the
// objects itself, unpacks object streams and streams of rare filters once, and
// puts one new cross-reference over all of it.
type mended struct {
	data  []byte // the file from %PDF- on
	extra bytes.Buffer
	at    map[int]objectAt
	lim   format.Limits
	used  int64 // bytes unpacked

	root, info string // references, as in "12 0 R"
}

// objectAt is where an object stands in data followed by extra.
type objectAt struct {
	offset int64
	gen    int
}

const (
	maxObject  = 2_000_000 // higher numbers are left out: the table would not fit
	maxObjects = 1_000_000
)

var (
	rootRef   = regexp.MustCompile(`/Root\s+(\d{1,9})\s+(\d{1,5})\s+R`)
	infoRef   = regexp.MustCompile(`/Info\s+(\d{1,9})\s+(\d{1,5})\s+R`)
	lengthKey = regexp.MustCompile(`/Length\s+(\d{1,12})(\s+\d{1,5}\s+R)?`)
	objStmKey = regexp.MustCompile(`/Type\s*/ObjStm\b`)
	firstKey  = regexp.MustCompile(`/First\s+(\d{1,9})`)
	catalog   = regexp.MustCompile(`/Type\s*/Catalog\b`)
	opaqueKey = regexp.MustCompile(`/Subtype\s*/(Image|Type1C|CIDFontType0C|OpenType|XML)\b|/Length1\b|/Type\s*/XRef\b|/FunctionType\b|/Type\s*/EmbeddedFile\b`)
)

// mend gives a file the parser can read, or an *Error.
func mend(data []byte, lim format.Limits) (*mended, error) {
	m := &mended{data: data, at: map[int]objectAt{}, lim: lim}
	if err := m.scan(); err != nil {
		return nil, err
	}
	m.references(data)
	if m.root == "" {
		m.findCatalog()
	}
	if m.root == "" {
		return nil, format.Fail(format.Malformed, "The PDF is damaged: no pages can be found in it.", nil)
	}
	m.crossReference()
	return m, nil
}

// ReadAt reads data and what was added, as one file with a header that the
// parser knows.
func (m *mended) ReadAt(p []byte, off int64) (int, error) {
	n, err := readSegments(p, off, m.data, m.extra.Bytes())
	overlayHeader(p[:n], off)
	return n, err
}

const pdfHeader = "%PDF-1.7\n"

// overlayHeader puts a header the parser knows over bytes read at off.
func overlayHeader(p []byte, off int64) {
	if off < int64(len(pdfHeader)) {
		copy(p, pdfHeader[off:])
	}
}

func (m *mended) size() int64 { return int64(len(m.data) + m.extra.Len()) }

// scan finds every object in file order: a later one of the same number wins,
// as an update of the file means it to.
func (m *mended) scan() error {
	for pos := 0; len(m.at) < maxObjects; {
		i := bytes.Index(m.data[pos:], []byte("obj"))
		if i < 0 {
			return nil
		}
		end := pos + i + 3
		id, gen, start := objectHead(m.data, pos+i)
		pos = end
		if start < 0 || id > maxObject {
			continue
		}
		m.at[id] = objectAt{int64(start), gen}
		next, err := m.body(id, gen, end)
		if err != nil {
			return err
		}
		pos = max(pos, next)
	}
	return nil
}

// objectHead reads "12 0 " backwards from the word obj. start is -1 when the
// word is something else.
func objectHead(data []byte, obj int) (id, gen, start int) {
	number := func(end int) (value, begin int) {
		i := end
		for i > 0 && isPDFSpace(data[i-1]) {
			i--
		}
		if i == end && end == obj && (i == 0 || data[i-1] < '0' || data[i-1] > '9') {
			return 0, -1
		}
		begin = i
		for begin > 0 && i-begin < 10 && data[begin-1] >= '0' && data[begin-1] <= '9' {
			begin--
		}
		value, err := strconv.Atoi(string(data[begin:i]))
		if err != nil {
			return 0, -1
		}
		return value, begin
	}
	gen, at := number(obj)
	if at <= 0 || !isPDFSpace(data[at-1]) || gen > 65535 {
		return 0, 0, -1
	}
	id, start = number(at)
	return id, gen, start
}

func isPDFSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

// body looks at the object whose content begins at start; when it is a stream
// it gives the offset behind it.
func (m *mended) body(id, gen, start int) (next int, err error) {
	rest := m.data[start:]
	if end := bytes.Index(rest, []byte("endobj")); end >= 0 {
		rest = rest[:end]
	}
	at := bytes.Index(rest, []byte("stream"))
	if at < 0 || at+6 >= len(rest) || rest[at+6] != '\n' && rest[at+6] != '\r' {
		return start, nil
	}
	dict := string(rest[:at])
	from := start + at + 6
	if m.data[from] == '\r' {
		from++
	}
	if from < len(m.data) && m.data[from] == '\n' {
		from++
	}
	raw, exact := m.streamBytes(dict, from)
	next = from + len(raw)
	switch {
	case objStmKey.MatchString(dict):
		return next, m.objectStream(dict, raw)
	case opaqueKey.MatchString(dict):
		return next, nil
	}
	return next, m.content(id, gen, dict, raw, exact)
}

// streamBytes finds the bytes of a stream: by its direct length when the word
// endstream follows there, else up to that word. exact says that the parser
// would find the same.
func (m *mended) streamBytes(dict string, from int) (raw []byte, exact bool) {
	rest := m.data[min(from, len(m.data)):]
	if l := lengthKey.FindStringSubmatch(dict); l != nil && l[2] == "" {
		n, err := strconv.Atoi(l[1])
		if err == nil && n <= len(rest) && bytes.HasPrefix(bytes.TrimLeft(rest[n:min(n+20, len(rest))], "\r\n \t"), []byte("endstream")) {
			return rest[:n], true
		}
	} else if l != nil {
		exact = true // an indirect length: the parser looks it up
	}
	if end := bytes.Index(rest, []byte("endstream")); end >= 0 {
		return rest[:end], exact
	}
	return rest, false
}

// objectStream writes the objects of an object stream as plain ones.
func (m *mended) objectStream(dict string, raw []byte) error {
	body, err := m.unpack(dict, raw)
	if err != nil {
		return err
	}
	f := firstKey.FindStringSubmatch(dict)
	if f == nil {
		return nil
	}
	first, err := strconv.Atoi(f[1])
	if err != nil || first > len(body) {
		return nil // a damaged part: its objects are missing
	}
	head := bytes.Fields(body[:first])
	for i := 0; i+1 < len(head); i += 2 {
		id, err1 := strconv.Atoi(string(head[i]))
		from, err2 := strconv.Atoi(string(head[i+1]))
		if err1 != nil || err2 != nil || id < 0 || id > maxObject || from < 0 || first+from > len(body) {
			continue
		}
		end := len(body)
		if i+3 < len(head) {
			if to, err := strconv.Atoi(string(head[i+3])); err == nil && to >= from && first+to <= len(body) {
				end = first + to
			}
		}
		m.put(id, 0, body[first+from:end])
	}
	return nil
}

// put appends an object.
func (m *mended) put(id, gen int, body []byte) {
	m.at[id] = objectAt{int64(len(m.data) + m.extra.Len()), gen}
	fmt.Fprintf(&m.extra, "%d %d obj\n", id, gen)
	m.extra.Write(body)
	m.extra.WriteString("\nendobj\n")
}

var renamed = regexp.MustCompile(`/(Filter|DecodeParms|Length|F|DP)\b`)

// content takes care of a stream that may hold text. One that the parser would
// read wrongly is unpacked and written anew; one that may unpack to more than
// the limit is measured.
func (m *mended) content(id, gen int, dict string, raw []byte, exact bool) error {
	if filterRef.MatchString(dict) || exact && parserReads(dict) {
		if len(raw) < 60<<10 {
			return nil
		}
		_, err := m.unpack(dict, raw)
		m.used = 0 // measured, not kept
		return err
	}
	body, err := m.unpack(dict, raw)
	if err != nil || body == nil {
		return err
	}
	open := bytes.Index([]byte(dict), []byte("<<"))
	if open < 0 {
		return nil
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "<</Length %d%s\nstream\n", len(body), renamed.ReplaceAllString(dict[open+2:], "/X$1"))
	out.Write(body)
	out.WriteString("\nendstream")
	m.put(id, gen, out.Bytes())
	return nil
}

// references takes the last Root and Info in text.
func (m *mended) references(text []byte) {
	for _, r := range rootRef.FindAllSubmatch(text, -1) {
		if id, err := strconv.Atoi(string(r[1])); err == nil && m.known(id) {
			m.root = string(r[1]) + " " + string(r[2]) + " R"
		}
	}
	for _, r := range infoRef.FindAllSubmatch(text, -1) {
		m.info = string(r[1]) + " " + string(r[2]) + " R"
	}
}

// known reports whether an object was found.
func (m *mended) known(id int) bool {
	_, ok := m.at[id]
	return ok
}

// findCatalog looks for the document's catalog among the objects themselves.
func (m *mended) findCatalog() {
	for id, at := range m.at {
		var head [2048]byte
		n, _ := m.ReadAt(head[:], at.offset) // a short read is the end of the file
		body := head[:n]
		if end := bytes.Index(body, []byte("endobj")); end >= 0 {
			body = body[:end]
		}
		if catalog.Match(body) {
			m.root = fmt.Sprintf("%d %d R", id, at.gen)
		}
	}
}

// crossReference appends one table of all objects.
func (m *mended) crossReference() {
	size := 0
	for id := range m.at {
		size = max(size, id+1)
	}
	own := size // the table is an object too
	table := make([]byte, 0, size*11)
	for id := range size {
		at, ok := m.at[id]
		kind := byte(0)
		if ok {
			kind = 1
		}
		table = append(table, kind)
		table = binary.BigEndian.AppendUint64(table, uint64(at.offset))
		table = binary.BigEndian.AppendUint16(table, uint16(at.gen))
	}
	start := m.size()
	info := ""
	if m.info != "" {
		info = "/Info " + m.info
	}
	fmt.Fprintf(&m.extra, "%d 0 obj\n<</Type/XRef/Size %d/W[1 8 2]/Root %s%s/Length %d>>stream\n", own, size, m.root, info, len(table))
	m.extra.Write(table)
	fmt.Fprintf(&m.extra, "\nendstream\nendobj\n%s\nstartxref\n%d\n%%%%EOF\n", bytes.Repeat([]byte(" "), 100), start)
}
