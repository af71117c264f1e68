package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"footnote/backend/export"
	"footnote/backend/fault"
)

// SaveNote names an answer that is to be saved as a note.
type SaveNote struct {
	ID   string `path:"id"`
	Body RunOf
}

// SavedNote is a note in its folder.
type SavedNote struct {
	Name  string `json:"name"`  // of the file
	Path  string `json:"path"`  // of the file, on this computer
	There bool   `json:"there"` // it was saved before, word for word
}

// mostNotes of one name are looked through for one that is free.
const mostNotes = 1000

// SaveNote writes an answer into the folder of the settings, as Obsidian and other
// programs read notes. It writes over no file: a name that is taken gets a number,
// and an answer that stands there word for word is not written again.
func (s Exports) SaveNote(ctx context.Context, in SaveNote) (SavedNote, error) {
	if in.Body.Run == "" {
		return SavedNote{}, fault.New(fault.MissingID, "No run was named.", "Send {\"run\": \"run_…\"}.")
	}
	thread, err := s.exported(ctx, in.ID, in.Body.Run)
	if err != nil {
		return SavedNote{}, err
	}
	folder := s.Settings.Now().Notes.Folder
	if folder == "" {
		return SavedNote{}, fault.New(fault.InvalidRequest, "No folder for notes is chosen.", "Choose one in Settings, Answers: the folder of your vault, or one in it.")
	}
	info, err := os.Stat(folder)
	if !filepath.IsAbs(folder) || err != nil || !info.IsDir() {
		return SavedNote{}, fault.Wrap(err, fault.PathNotAllowed, "The folder for notes is not there: "+folder+".", "Choose a folder that exists, with its whole path, in Settings, Answers.")
	}
	run := thread.Runs[0]
	note := export.Note(run, export.Vault{Folder: vaultOf(folder)})
	if note == nil {
		return SavedNote{}, fault.New(fault.InvalidRequest, "There is no answer to save yet.", "Wait until it is finished.")
	}
	return writeNote(folder, noteName(run.Question.Text), note)
}

// vaultOf is the vault that a folder lies in: the nearest one above it that Obsidian
// has set up, else the folder.
func vaultOf(folder string) string {
	for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, ".obsidian")); err == nil && info.IsDir() {
			return at
		}
		if at == filepath.Dir(at) {
			return folder
		}
	}
}

// noteName is the name of a note: without signs that no link or no file system takes.
func noteName(question string) string {
	words := strings.FieldsFunc(question, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`#^[]|?:*"<>/\`, r) })
	return FileName(strings.Join(words, " "), "Answer")
}

func writeNote(folder, name string, note []byte) (SavedNote, error) {
	for n := 1; n <= mostNotes; n++ {
		file := name + ".md"
		if n > 1 {
			file = fmt.Sprintf("%s %d.md", name, n)
		}
		path := filepath.Join(folder, file)
		err := writeNew(path, note)
		if err == nil {
			return SavedNote{Name: file, Path: path}, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return SavedNote{}, fault.Wrap(err, fault.PathNotAllowed, file+" cannot be written into "+folder+".", "Check the folder and the space on the disk.")
		}
		if f, info, err := openRegular(path); err == nil {
			there, err := readAll(f, info.Size())
			if err == nil && bytes.Equal(there, note) {
				return SavedNote{Name: file, Path: path, There: true}, nil
			}
		}
	}
	return SavedNote{}, fault.New(fault.PathNotAllowed, fmt.Sprintf("There are %d notes of this name.", mostNotes), "Tidy the folder for notes, or choose another one.")
}

const mostNoteBytes = 16 << 20 // of a file that is held against a note

func readAll(f *os.File, size int64) ([]byte, error) {
	defer f.Close()
	if size > mostNoteBytes {
		return nil, errors.New("larger than a note")
	}
	body := make([]byte, size)
	_, err := f.ReadAt(body, 0)
	return body, err
}

// writeNew writes a file that is not there yet, whole or not at all.
func writeNew(path string, body []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// LackingIn are the scripts that a PDF would not show here.
type LackingIn struct {
	Scripts []string `json:"scripts"`
}

// Lacking names the scripts of a conversation, or of one run of it, that its PDF
// names in brackets instead of showing them.
func (s Exports) Lacking(ctx context.Context, in Exported) (LackingIn, error) {
	thread, err := s.exported(ctx, in.ID, in.Run)
	if err != nil {
		return LackingIn{}, err
	}
	scripts, err := export.Lacking(export.Of(takenAway(thread), ""))
	return LackingIn{append([]string{}, scripts...)}, err
}

// Exported names a conversation, or one run of it.
type Exported struct {
	ID  string `path:"id"`
	Run string `query:"run" says:"Only this run"`
}
