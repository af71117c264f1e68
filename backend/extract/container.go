package extract

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode"
)

// container is a compound file: the folders and streams inside an old office
// document or a message of Outlook. Its sectors are linked like those of a disk.
type container struct {
	streams map[string][]byte // by path, folders before a slash
	folders []string          // paths, each behind the one it stands in

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

// openContainer reads every stream, within the limits of archives. Nothing is
// believed: chains end where they come back to themselves.
func openContainer(data []byte, lim Limits) (*container, error) {
	damaged := fail(Malformed, "The file is damaged: it cannot be unpacked.", errContainer)
	if len(data) < headerBytes || !bytes.HasPrefix(data, oleMagic) {
		return nil, damaged
	}
	field := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	shift, little := data[30], data[32]
	if shift < 7 || shift > 16 || little < 2 || little > shift || len(data) < 1<<shift {
		return nil, damaged
	}
	c := &container{
		streams: map[string][]byte{}, data: data[1<<shift:], sector: 1 << shift, little: 1 << little, short: field(56),
		left: min(4*int64(len(data)), lim.Archive), // sectors may be shared, but hardly are
	}
	c.links = c.readLinks(data, field(68))
	c.chains = numbers(c.chain(field(60)))
	entries := c.chain(field(48))
	if len(entries) < entryBytes {
		return nil, damaged
	}
	if len(entries)/entryBytes > 16*lim.Parts {
		return nil, fail(TooLarge, "The file has too many parts inside.", nil)
	}
	root := entry(entries[:entryBytes])
	c.small = c.chain(root.start())
	c.walk(entries, root.link(76), "", make([]bool, len(entries)/entryBytes))
	return c, nil
}

// readLinks puts the table of links together, whose sectors are listed in the
// header and in sectors of their own.
func (c *container) readLinks(data []byte, more uint32) []uint32 {
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
func (c *container) at(n uint32) []byte {
	from := int64(n) * int64(c.sector)
	if n >= noSector || from >= int64(len(c.data)) {
		return nil
	}
	return c.data[from:min(from+int64(c.sector), int64(len(c.data)))]
}

// chain reads the sectors from n on, as far as they lead.
func (c *container) chain(n uint32) (out []byte) {
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
func (c *container) smallChain(n uint32) (out []byte) {
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
	name := []rune(fromUTF16(e[:n]))
	if len(name) > 0 && !unicode.IsPrint(name[0]) {
		name = name[1:]
	}
	return string(name)
}

// walk takes in an entry, its neighbours and what is below it; each once.
func (c *container) walk(entries []byte, n uint32, at string, seen []bool) {
	if int64(n) >= int64(len(seen)) || seen[n] {
		return
	}
	seen[n] = true
	e := entry(entries[int(n)*entryBytes : (int(n)+1)*entryBytes])
	path := at + e.name()
	c.walk(entries, e.link(68), at, seen)
	switch {
	case e.folder():
		c.folders = append(c.folders, path)
		c.walk(entries, e.link(76), path+"/", seen)
	case e.stream():
		read := c.chain
		if e.size() < c.short {
			read = c.smallChain
		}
		stream := read(e.start())
		if _, twice := c.streams[path]; !twice {
			c.streams[path] = stream[:min(len(stream), int(e.size()))]
		}
	}
	c.walk(entries, e.link(72), at, seen)
}

// has reports whether there is a stream of this name.
func (c *container) has(name string) bool {
	_, ok := c.streams[name]
	return ok
}
