package store

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
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

// packVectors keeps vectors at a byte a component, each with its scale before
// it, and sets them to exactly what it kept: a search after a restart orders its
// hits just as the one before. A nil vector has scale 0. All have one dimension.
func packVectors(vectors [][]float32) []byte {
	dim := 0
	for _, v := range vectors {
		dim = max(dim, len(v))
	}
	out := binary.AppendUvarint(make([]byte, 0, len(vectors)*(dim+4)+4), uint64(dim))
	for _, v := range vectors {
		top := float32(0)
		for _, x := range v {
			top = max(top, x, -x)
		}
		scale := top / 127
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(scale))
		for i := range dim {
			q := int8(0)
			if i < len(v) && scale > 0 {
				q = int8(math.Round(float64(v[i] / scale)))
				v[i] = float32(q) * scale
			}
			out = append(out, byte(q))
		}
	}
	return out
}

// unpackVectors gives the vectors of a row, count of them; nil for those that
// have none.
func unpackVectors(data []byte, count int) ([][]float32, error) {
	dim, n := binary.Uvarint(data)
	if n > 0 && dim >= coarse && dim <= coarse+1<<16 {
		return unpackCoarse(data[n:], int(dim-coarse), count)
	}
	if n <= 0 || dim > 1<<16 || (len(data)-n)%(int(dim)+4) != 0 || dim == 0 && len(data)-n != 4*count { // a block of zeros
		return nil, errVectors
	}
	data = data[n:]
	vectors := make([][]float32, 0, len(data)/(int(dim)+4))
	room := make([]float32, cap(vectors)*int(dim))
	for ; len(data) > 0; data = data[4+dim:] {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(data))
		if scale == 0 {
			vectors = append(vectors, nil)
			continue
		}
		v := room[:dim:dim]
		room = room[dim:]
		for i, q := range data[4 : 4+dim] {
			v[i] = float32(int8(q)) * scale
		}
		vectors = append(vectors, v)
	}
	return vectors, nil
}

// jsonList makes one parameter of many ids, for json_each.
func jsonList[T ~string | ~int64](ids []T) (string, error) {
	data, err := json.Marshal(ids)
	return string(data), err
}
