package store

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

// A packed value begins with one byte that says how the rest is to be read.
const (
	plain   = 0
	deflate = 1
	stepped = 2 // added to either: blocks as steps
)

// packFrom is the size in bytes from which compressing pays.
const packFrom = 256

// packer keeps compressors, of which a new one takes a megabyte, and readers. The
// collector empties pools; one compressor stays whatever it does.
type packer struct {
	spare         atomic.Pointer[flate.Writer]
	idle, readers sync.Pool
}

func (p *packer) compressor() (*flate.Writer, error) {
	if w := p.spare.Swap(nil); w != nil {
		return w, nil
	}
	if w, ok := p.idle.Get().(*flate.Writer); ok {
		return w, nil
	}
	return flate.NewWriter(nil, flate.BestSpeed)
}

func (p *packer) putBack(w *flate.Writer) {
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

// unpackText unpacks as unpack does, without leaving more behind than the text.
func (p *packer) unpackText(packed []byte) (string, error) {
	if len(packed) == 0 || packed[0] != deflate {
		data, err := unpack(packed)
		return string(data), err
	}
	r, ok := p.readers.Get().(*inflater)
	if !ok {
		r = &inflater{flate: flate.NewReader(nil)}
	}
	defer p.readers.Put(r)
	r.packed.Reset(packed[1:])
	r.text.Reset()
	if err := r.flate.(flate.Resetter).Reset(&r.packed, nil); err != nil {
		return "", err
	}
	_, err := r.text.ReadFrom(r.flate)
	return r.text.String(), err
}

func (p *packer) pack(data []byte) ([]byte, error) {
	if len(data) < packFrom {
		return append([]byte{plain}, data...), nil
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
	return out.Bytes(), nil
}

func unpack(packed []byte) ([]byte, error) {
	if len(packed) == 0 {
		return nil, errors.New("unpack: nothing there")
	}
	switch packed[0] {
	case plain:
		return packed[1:], nil
	case deflate:
		return io.ReadAll(flate.NewReader(bytes.NewReader(packed[1:])))
	}
	return nil, fmt.Errorf("unpack: unknown form %d", packed[0])
}

func unpackJSON(packed []byte, into any) error {
	data, err := unpack(packed)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// jsonList makes one parameter of many ids, for json_each.
func jsonList[T ~string | ~int64](ids []T) (string, error) {
	data, err := json.Marshal(ids)
	return string(data), err
}
