package store

import (
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/store/sqlite"
)

// storedID is the id of a passage as rows have it: the 16 bytes that its letters
// write, or the letters of one that was named in another way.
type storedID evidence.PassageID

// Value is what a row has.
func (id storedID) Value() (driver.Value, error) {
	if key, ok := evidence.PassageID(id).Key(); ok {
		return key[:], nil
	}
	return string(id), nil
}

// Scan reads what a row has.
func (id *storedID) Scan(value any) error {
	switch v := value.(type) {
	case string:
		*id = storedID(v)
		return nil
	case []byte:
		if len(v) == len(passageKey{}) {
			*id = storedID(evidence.PassageOf(passageKey(v)))
			return nil
		}
	}
	return errors.New("read passage id: malformed")
}

type passageKey = [16]byte

// ofID lets a query read into an id.
func ofID(id *evidence.PassageID) *storedID { return (*storedID)(id) }

// In lists and in groups an id is its bytes in hexadecimal, or its letters behind
// a mark, which in a group are hexadecimal too. listedID is what a row has for
// j.value of such a list, groupedID the other way round.
const (
	otherID   = "!"
	listedID  = `iif(j.value LIKE '!%', substr(j.value, 2), unhex(j.value))`
	groupedID = `iif(typeof(id) = 'blob', '', '!') || hex(id)`
)

// idList makes one parameter of many ids, for json_each.
func idList(ids []evidence.PassageID) (string, error) {
	list := make([]string, len(ids))
	for i, id := range ids {
		if key, ok := id.Key(); ok {
			list[i] = hex.EncodeToString(key[:])
		} else {
			list[i] = otherID + string(id)
		}
	}
	data, err := json.Marshal(list)
	return string(data), err
}

// ungroup reads an id of a group.
func ungroup(s string) (evidence.PassageID, error) {
	letters, other := strings.CutPrefix(s, otherID)
	if other {
		id, err := hex.DecodeString(letters)
		return evidence.PassageID(id), err
	}
	var key passageKey
	if len(s) != 2*len(key) {
		return "", errors.New("read passage id: malformed")
	}
	if _, err := hex.Decode(key[:], []byte(s)); err != nil {
		return "", errors.New("read passage id: malformed")
	}
	return evidence.PassageOf(key), nil
}

// Rows of before the eleventh migration have all ids in letters: passage_key is
// what they become. It leaves alone what is none.
func init() {
	sqlite.Function("passage_key", func(value driver.Value) (driver.Value, error) {
		if id, ok := value.(string); ok {
			return storedID(id).Value()
		}
		return value, nil
	})
}
