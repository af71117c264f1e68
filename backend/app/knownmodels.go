package app

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"footnote/backend/disk"
	"footnote/backend/llm"
)

// knownBytes is how much of that file is read.
const knownBytes = 16 << 20

// knownModels keeps what servers said of their models in a file of the cache. A
// file that cannot be read or written costs a question to the server, no more.
type knownModels struct {
	path string
	log  *slog.Logger
}

// Load implements llm.Memory.
func (k knownModels) Load() map[string][]llm.Ability {
	data, err := disk.ReadRegular(k.path, knownBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var known map[string][]llm.Ability
	if err == nil {
		err = json.Unmarshal(data, &known)
	}
	if err != nil {
		k.log.Warn("read what is known of models", "err", err)
		return nil
	}
	return known
}

// Save implements llm.Memory. The registry calls it one at a time.
func (k knownModels) Save(known map[string][]llm.Ability) {
	data, err := json.Marshal(known)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(k.path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(k.path+".new", data, 0o600)
	}
	if err == nil {
		err = os.Rename(k.path+".new", k.path)
	}
	if err != nil {
		k.log.Warn("keep what is known of models", "err", err)
	}
}
