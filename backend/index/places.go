package index

import (
	"crypto/sha256"
	"encoding/binary"

	"footnote/backend/evidence"
)

// key is what an id of a passage writes in letters: half of its length, and no
// memory of its own.
type key [16]byte

// keyOf gives the key of an id. One that is not written as passages' ids are has
// its digest for a key, and ok is false.
func keyOf(id evidence.PassageID) (k key, ok bool) {
	if k, ok := id.Key(); ok {
		return k, true
	}
	sum := sha256.Sum256([]byte(id))
	return key(sum[:]), false
}

// places numbers passages without a gap: a hundred thousand ids in a map and a
// list of their own would take as much memory as half of the vectors.
type places struct {
	keys  []key
	slots []int32                    // by hash: place + 1, 0 where it is free; a power of two of them
	odd   map[key]evidence.PassageID // ids that their keys do not tell
}

func (p *places) count() int { return len(p.keys) }

// id gives the passage at a place.
func (p *places) id(at int) evidence.PassageID {
	k := p.keys[at]
	if id, ok := p.odd[k]; ok {
		return id
	}
	return evidence.PassageOf(k)
}

// find gives the place of a passage.
func (p *places) find(id evidence.PassageID) (at int, ok bool) {
	if len(p.slots) == 0 {
		return 0, false
	}
	k, _ := keyOf(id)
	at = int(p.slots[p.slot(k)]) - 1
	return at, at >= 0
}

// hash is a part of the key: it has the bits of a digest.
func (k *key) hash() int { return int(binary.LittleEndian.Uint64(k[:8])) }

// slot is where a key stands, or the free slot where it would.
func (p *places) slot(k key) int {
	mask := len(p.slots) - 1
	i := k.hash() & mask
	for p.slots[i] != 0 && p.keys[p.slots[i]-1] != k {
		i = (i + 1) & mask
	}
	return i
}

// findOrAdd gives the place of a passage, the next one where it has none.
func (p *places) findOrAdd(id evidence.PassageID) (at int, known bool) {
	k, plain := keyOf(id)
	if len(p.slots) > 0 {
		slot := p.slot(k)
		if at = int(p.slots[slot]) - 1; at >= 0 {
			return at, true
		}
		p.slots[slot] = int32(len(p.keys)) + 1
	}
	if !plain {
		if p.odd == nil {
			p.odd = map[key]evidence.PassageID{}
		}
		p.odd[k] = id
	}
	p.keys = append(p.keys, k)
	if 4*len(p.keys) > 3*len(p.slots) {
		p.slots = make([]int32, max(1024, 2*len(p.slots)))
		for at, k := range p.keys {
			p.slots[p.slot(k)] = int32(at) + 1
		}
	}
	return len(p.keys) - 1, false
}

// drop frees the place of a passage that has one, and gives it to the last.
func (p *places) drop(id evidence.PassageID) (at int) {
	k, _ := keyOf(id)
	free, mask := p.slot(k), len(p.slots)-1
	at = int(p.slots[free]) - 1
	for i := (free + 1) & mask; p.slots[i] != 0; i = (i + 1) & mask { // what was put past this slot comes back
		if home := p.keys[p.slots[i]-1].hash() & mask; (i-home)&mask >= (i-free)&mask {
			p.slots[free], free = p.slots[i], i
		}
	}
	p.slots[free] = 0
	if last := len(p.keys) - 1; at < last {
		p.slots[p.slot(p.keys[last])] = int32(at) + 1
		p.keys[at] = p.keys[last]
	}
	p.keys = p.keys[:len(p.keys)-1]
	delete(p.odd, k)
	return at
}
