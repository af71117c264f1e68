package settings

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"footnote/backend/fault"
)

func TestAFolderOfSomebodyElseIsRefused(t *testing.T) {
	used, fresh := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(used, "config.toml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	of := func(uid int) func(string) (int, bool) {
		return func(string) (int, bool) { return uid, true }
	}
	handedOut := func(path string) (int, bool) {
		if path == used {
			return 0, true
		}
		return 912_345, true
	}
	unknown := func(string) (int, bool) { return 0, false }
	for name, c := range map[string]struct {
		dir   string
		owner func(string) (int, bool)
		self  int
		fails bool
	}{
		"root in a folder of another":  {used, of(912_345), 0, true},
		"another in a folder of root":  {used, of(0), 912_345, true},
		"the owner":                    {used, of(912_345), 912_345, false},
		"root in its own":              {used, of(0), 0, false},
		"a folder that was handed out": {used, handedOut, 912_345, false},
		"nothing in it yet":            {fresh, of(912_345), 0, false},
		"a system without numbers":     {used, unknown, -1, false},
	} {
		err := checkOwner(c.dir, c.owner, c.self)
		if c.fails != (fault.CodeOf(err) == fault.PathNotAllowed) || !c.fails && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.fails && (!strings.Contains(err.Error(), c.dir) || !strings.Contains(err.Error(), "user 912345")) {
			t.Errorf("%s says neither folder nor user: %v", name, err)
		}
	}
}

func TestLoadRefusesAFolderOfSomebodyElseAndWritesNothingThere(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() != 0 {
		t.Skip("only root can give folders away")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, dir} {
		if err := os.Chown(path, 912_345, 912_345); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(LoadOptions{DataDir: dir}); fault.CodeOf(err) != fault.PathNotAllowed {
		t.Errorf("%v", err)
	}
	if _, err := Load(LoadOptions{DataDir: dir, AnyOwner: true}); err != nil {
		t.Errorf("with leave: %v", err)
	}
}
