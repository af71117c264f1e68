// Package pack says how texts lie in rows: compressed, with a sum over them, in parts
// of so many code points, with headings and blocks in parts of their own. It knows
// no database.
package pack

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
	"sync/atomic"
)

// A packed value begins with one byte that says how the rest is to be read.
const (
	plain   = 0
	deflate = 1
	stepped = 2    // added to either: blocks as steps
	summed  = 0x50 // added to either: the sum of the rest stands behind it. Two bits: to lose one makes no other form
)

const sumBytes = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum appends the sum of a packed value and says so in its form. Whether it is of
// steps its reader tells by what it finds.
func sum(packed []byte) []byte {
	packed[0] |= summed
	return binary.LittleEndian.AppendUint32(packed, sumOf(packed[0], packed[1:]))
}

func sumOf(form byte, rest []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte{form &^ stepped}, castagnoli), castagnoli, rest)
}

// unsum gives form and rest of a packed value that has kept its sum; older
// versions wrote none.
func unsum(packed []byte) (form byte, rest []byte, err error) {
	if len(packed) == 0 {
		return 0, nil, errors.New("unpack: nothing there")
	}
	form, rest = packed[0], packed[1:]
	if form&summed != summed {
		return form, rest, nil
	}
	end := len(rest) - sumBytes
	if end < 0 || binary.LittleEndian.Uint32(rest[end:]) != sumOf(form, rest[:end]) {
		return 0, nil, errors.New("unpack: the sum differs")
	}
	return form &^ summed, rest[:end], nil
}

// packFrom is the size in bytes from which compressing pays.
const packFrom = 256

// mostUnpacked is how large a packed value may be: far more than any is. A backup that
// a stranger made could hold a row that unpacks to a thousand times its size.
const mostUnpacked = 128 << 20

var errLarge = errors.New("unpack: larger than anything that is kept")

// Packer keeps compressors, of which a new one takes a megabyte, and readers. The
// collector empties pools; one compressor stays whatever it does.
type Packer struct {
	spare         atomic.Pointer[flate.Writer]
	idle, readers sync.Pool
}

func (p *Packer) compressor() (*flate.Writer, error) {
	if w := p.spare.Swap(nil); w != nil {
		return w, nil
	}
	if w, ok := p.idle.Get().(*flate.Writer); ok {
		return w, nil
	}
	return flate.NewWriter(nil, flate.BestSpeed)
}

func (p *Packer) putBack(w *flate.Writer) {
	if !p.spare.CompareAndSwap(nil, w) {
		p.idle.Put(w)
	}
}

// inflater unpacks one value after the other.
type inflater struct {
	packed bytes.Reader
	flate  io.ReadCloser
	text   bytes.Buffer
}

// UnpackText unpacks as Unpack does, without leaving more behind than the text.
func (p *Packer) UnpackText(packed []byte) (string, error) {
	form, rest, err := unsum(packed)
	if err != nil || form != deflate {
		data, err := Unpack(packed)
		return string(data), err
	}
	r, ok := p.readers.Get().(*inflater)
	if !ok {
		r = &inflater{flate: flate.NewReader(nil)}
	}
	defer p.readers.Put(r)
	r.packed.Reset(rest)
	r.text.Reset()
	if err := r.flate.(flate.Resetter).Reset(&r.packed, nil); err != nil {
		return "", err
	}
	if _, err = r.text.ReadFrom(io.LimitReader(r.flate, mostUnpacked+1)); err == nil && r.text.Len() > mostUnpacked {
		r.text, err = bytes.Buffer{}, errLarge
	}
	return r.text.String(), err
}

// Pack packs a value; short ones stay as they are.
func (p *Packer) Pack(data []byte) ([]byte, error) {
	if len(data) > mostUnpacked {
		return nil, errLarge
	}
	if len(data) < packFrom {
		return sum(append([]byte{plain}, data...)), nil
	}
	var out bytes.Buffer
	out.WriteByte(deflate)
	w, err := p.compressor()
	if err != nil {
		return nil, err
	}
	defer p.putBack(w)
	w.Reset(&out)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return sum(out.Bytes()), nil
}

// Unpack reads what Pack wrote, and what older versions wrote without a sum. What
// does not fit its sum is an error.
func Unpack(packed []byte) ([]byte, error) {
	form, rest, err := unsum(packed)
	switch {
	case err != nil:
		return nil, err
	case form == plain:
		return rest, nil
	case form == deflate:
		data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(rest)), mostUnpacked+1))
		if err == nil && len(data) > mostUnpacked {
			return nil, errLarge
		}
		return data, err
	}
	return nil, fmt.Errorf("unpack: unknown form %d", form)
}

// UnpackJSON reads packed JSON.
func UnpackJSON(packed []byte, into any) error {
	data, err := Unpack(packed)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}
