package evidence

// What an id of a passage is written with: a search turns some hundred of them into
// bytes and back, a start those of the whole library.
const (
	idLetters    = "abcdefghijklmnopqrstuvwxyz234567" // five bits each
	passageBytes = 16                                 // that the letters of a passage's id write
	idPrefix     = "psg_"
	idLength     = len(idPrefix) + (8*passageBytes+4)/5
)

// valueOf is the five bits of a letter, noLetter for what is none.
var valueOf = func() (of [256]uint8) {
	for i := range of {
		of[i] = noLetter
	}
	for i, letter := range []byte(idLetters) {
		of[letter] = uint8(i)
	}
	return of
}()

const noLetter = 32

// Key gives the bytes that an id writes in letters; ok is false for an id that is
// not written as NewPassageID does.
func (id PassageID) Key() (key [passageBytes]byte, ok bool) {
	if len(id) != idLength || id[:len(idPrefix)] != idPrefix {
		return key, false
	}
	bits, have, at := uint32(0), 0, 0
	for _, letter := range []byte(id[len(idPrefix):]) {
		five := valueOf[letter]
		if five == noLetter {
			return [passageBytes]byte{}, false
		}
		bits, have = bits<<5|uint32(five), have+5
		if have >= 8 {
			have -= 8
			key[at] = byte(bits >> have)
			at++
		}
	}
	if bits&(1<<have-1) != 0 { // the last letter has two bits to spare
		return [passageBytes]byte{}, false
	}
	return key, true
}

// PassageOf gives the id that writes a key.
func PassageOf(key [passageBytes]byte) PassageID {
	var id [idLength]byte
	bits, have, at := uint32(0), 0, copy(id[:], idPrefix)
	for _, b := range key {
		bits, have = bits<<8|uint32(b), have+8
		for ; have >= 5; at++ {
			have -= 5
			id[at] = idLetters[bits>>have&31]
		}
	}
	id[at] = idLetters[bits<<(5-have)&31]
	return PassageID(id[:])
}
