package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"time"
	"unicode"
)

// Container is a compound file: the folders and streams inside an old office
// document or a message of Outlook. Its sectors are linked like those of a disk.
type Container struct {
	Streams map[string][]byte // by path, folders before a slash
	Folders []string          // paths, each behind the one it stands in

	data   []byte // behind the header
	sector int    // bytes
	links  []uint32
	small  []byte // where short streams lie, in small sectors with links of their own
	little int    // bytes of a small sector
	chains []uint32
	short  uint32 // streams below this length are short
	left   int64  // bytes that may still be unpacked
}

const (
	headerBytes = 512
	entryBytes  = 128
	noSector    = 0xFFFFFFFA // this and all above are no sectors
)

// errContainer marks a compound file whose parts cannot be found.
var errContainer = errors.New("read sectors")

// OpenContainer reads every stream, within the limits of archives. Nothing is
// believed: chains end where they come back to themselves.
func OpenContainer(data []byte, lim Limits) (*Container, error) {
	damaged := Fail(Malformed, "The file is damaged: it cannot be unpacked.", errContainer)
	if len(data) < headerBytes || !bytes.HasPrefix(data, OLEMagic) {
		return nil, damaged
	}
	field := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	shift, little := data[30], data[32]
	if shift < 7 || shift > 16 || little < 2 || little > shift || len(data) < 1<<shift {
		return nil, damaged
	}
	c := &Container{
		Streams: map[string][]byte{}, data: data[1<<shift:], sector: 1 << shift, little: 1 << little, short: field(56),
		left: min(4*int64(len(data)), lim.Archive), // sectors may be shared, but hardly are
	}
	c.links = c.readLinks(data, field(68))
	c.chains = numbers(c.chain(field(60)))
	entries := c.chain(field(48))
	if len(entries) < entryBytes {
		return nil, damaged
	}
	if len(entries)/entryBytes > 16*lim.Parts {
		return nil, Fail(TooLarge, "The file has too many parts inside.", nil)
	}
	root := entry(entries[:entryBytes])
	c.small = c.chain(root.start())
	c.walk(entries, root.link(76), "", make([]bool, len(entries)/entryBytes))
	return c, nil
}

// readLinks puts the table of links together, whose sectors are listed in the
// header and in sectors of their own.
func (c *Container) readLinks(data []byte, more uint32) []uint32 {
	list := numbers(data[76:headerBytes])
	for range len(c.data)/c.sector + 1 {
		s := c.at(more)
		if s == nil {
			break
		}
		part := numbers(s)
		if len(part) == 0 { // the file ends inside it
			break
		}
		list, more = append(list, part[:len(part)-1]...), part[len(part)-1]
	}
	var links []uint32
	for _, n := range list[:min(len(list), len(c.data)/c.sector+1)] {
		links = append(links, numbers(c.at(n))...)
	}
	return links
}

func numbers(b []byte) []uint32 {
	out := make([]uint32, len(b)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

// at is a sector; nil beyond the end. The last one may be cut.
func (c *Container) at(n uint32) []byte {
	from := int64(n) * int64(c.sector)
	if n >= noSector || from >= int64(len(c.data)) {
		return nil
	}
	return c.data[from:min(from+int64(c.sector), int64(len(c.data)))]
}

// chain reads the sectors from n on, as far as they lead.
func (c *Container) chain(n uint32) (out []byte) {
	for range len(c.links) {
		s := c.at(n)
		if s == nil || int(n) >= len(c.links) || c.left < int64(len(s)) {
			break
		}
		c.left -= int64(len(s))
		out, n = append(out, s...), c.links[n]
	}
	return out
}

// smallChain reads the small sectors from n on.
func (c *Container) smallChain(n uint32) (out []byte) {
	for range len(c.chains) {
		from := int64(n) * int64(c.little)
		if n >= noSector || int(n) >= len(c.chains) || from >= int64(len(c.small)) || c.left < int64(c.little) {
			break
		}
		c.left -= int64(c.little)
		out, n = append(out, c.small[from:min(from+int64(c.little), int64(len(c.small)))]...), c.chains[n]
	}
	return out
}

// entry is a name in the list of a container.
type entry []byte

func (e entry) link(at int) uint32 { return binary.LittleEndian.Uint32(e[at:]) }
func (e entry) start() uint32      { return e.link(116) }
func (e entry) size() uint32       { return e.link(120) }
func (e entry) folder() bool       { return e[66] == 1 }
func (e entry) stream() bool       { return e[66] == 2 }

// name leaves out the control character that some names begin with.
func (e entry) name() string {
	n := min(int(binary.LittleEndian.Uint16(e[64:])), 64)
	name := []rune(FromUTF16(e[:n]))
	if len(name) > 0 && !unicode.IsPrint(name[0]) {
		name = name[1:]
	}
	return string(name)
}

// walk takes in an entry, its neighbours and what is below it; each once.
func (c *Container) walk(entries []byte, n uint32, at string, seen []bool) {
	if int64(n) >= int64(len(seen)) || seen[n] {
		return
	}
	seen[n] = true
	e := entry(entries[int(n)*entryBytes : (int(n)+1)*entryBytes])
	path := at + e.name()
	c.walk(entries, e.link(68), at, seen)
	switch {
	case e.folder():
		c.Folders = append(c.Folders, path)
		c.walk(entries, e.link(76), path+"/", seen)
	case e.stream():
		read := c.chain
		if e.size() < c.short {
			read = c.smallChain
		}
		stream := read(e.start())
		if _, twice := c.Streams[path]; !twice {
			c.Streams[path] = stream[:min(len(stream), int(e.size()))]
		}
	}
	c.walk(entries, e.link(72), at, seen)
}

// Has reports whether there is a stream of this name.
func (c *Container) Has(name string) bool {
	_, ok := c.Streams[name]
	return ok
}

// wide writes ASCII as the old office formats keep their names.
func wide(s string) []byte { return []byte(strings.Join(strings.Split(s, ""), "\x00") + "\x00") }

// RefuseContainer says why a compound file is not read: it is locked, or something
// else than a document.
func RefuseContainer(data []byte) *Error {
	if bytes.Contains(data, wide("Encrypt")) { // EncryptedPackage, EncryptionInfo
		return Fail(Encrypted, "The file is protected with a password; save it without one and add that.", nil)
	}
	return Fail(Unsupported, "The file is in an old office format; save it in the current one and add that.", nil)
}

// FileTime reads a count of 100 ns since 1601; zero when it is no likely date.
func FileTime(n uint64) time.Time {
	const toUnix, second = 11644473600, 10_000_000
	if n/second < toUnix || n/second > toUnix+1<<33 {
		return time.Time{}
	}
	return time.Unix(int64(n/second)-toUnix, 0).UTC()
}
