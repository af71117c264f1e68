package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// gathered is a release whose files were made elsewhere: each holds its name.
func gathered(t *testing.T) (*release, []artefact) {
	t.Helper()
	r := &release{job: &job{root: ".."}, version: "1.2.3", when: time.Unix(1e9, 0).UTC(), out: filepath.Join(t.TempDir(), "release"), sign: signing{downloads: "https://example.org/v1.2.3/"}}
	for _, a := range r.artefacts() {
		writeAll(t, r.out, map[string]string{a.name: a.name, a.name + ".cdx.json": "{}"})
	}
	writeAll(t, r.out, map[string]string{"SHA256SUMS": "of a part"})
	list, err := r.finish()
	if err != nil {
		t.Fatal(err)
	}
	return r, list
}

func TestChannelsAreFilledFromWhatIsReleased(t *testing.T) {
	r, list := gathered(t)
	if err := r.close(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(sums), "\n"); n != 2*len(list) {
		t.Errorf("%d digests of %d files:\n%s", n, 2*len(list), sums)
	}
	dir := filepath.Join(filepath.Dir(r.out), "channels")
	for _, name := range []string{"footnote.rb", "footnote-app.rb", "scoop.json", "winget.installer.yaml", "PKGBUILD", ".SRCINFO", "Containerfile", "app.footnote.Footnote.json"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		checkChannel(t, name, string(text), string(sums))
	}
	if out, err := exec.Command("bash", "-n", filepath.Join(dir, "PKGBUILD")).CombinedOutput(); err != nil {
		t.Errorf("PKGBUILD: %v %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "SRCINFO")); err == nil {
		t.Error("the form of .SRCINFO lies beside it")
	}
}

var (
	address = regexp.MustCompile(`https://example\.org/v1\.2\.3/([^"\s)]+)`)
	hexSum  = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
)

// checkChannel holds a filled form against the digests: each address is of a file
// there, each digest too, and there is one for each file that it names.
func checkChannel(t *testing.T, name, text, sums string) {
	t.Helper()
	if strings.HasSuffix(name, ".json") {
		if err := json.Unmarshal([]byte(text), new(map[string]any)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	named := address.FindAllStringSubmatch(text, -1)
	if len(named) == 0 || !strings.Contains(text, "1.2.3") || strings.Contains(text, "VERSION") {
		t.Errorf("%s names no file or no version:\n%s", name, text)
	}
	wanted := map[string]bool{}
	for _, m := range named {
		at := strings.Index(sums, "  "+m[1]+"\n")
		if at < 64 {
			t.Errorf("%s names %s, which is not released", name, m[1])
			continue
		}
		wanted[sums[at-64:at]] = true
	}
	for _, sum := range hexSum.FindAllString(text, -1) {
		if !wanted[sum] {
			t.Errorf("%s has the digest %s of no file that it names", name, sum)
		}
		delete(wanted, sum)
	}
	for sum := range wanted {
		t.Errorf("%s lacks the digest %s", name, sum)
	}
}

func TestAReleaseOfSeveralMachinesIsWholeAndNothingElse(t *testing.T) {
	r, list := gathered(t)
	writeAll(t, r.out, map[string]string{"notes.txt": "x"})
	if _, err := r.finish(); err == nil || !strings.HasSuffix(err.Error(), ": notes.txt") {
		t.Errorf("with a stranger: %v", err)
	}
	for _, name := range []string{"notes.txt", list[0].name} {
		if err := os.Remove(filepath.Join(r.out, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.finish(); err == nil || !strings.Contains(err.Error(), list[0].name) {
		t.Errorf("without one: %v", err)
	}
}

func TestWithoutAnAddressThereAreNoChannels(t *testing.T) {
	r, list := gathered(t)
	r.sign.downloads = ""
	if err := r.close(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(r.out), "channels")); err == nil {
		t.Error("files for package managers with an address that nobody gave")
	}
	if err := (signing{downloads: "ftp://example.org"}).whole(); err == nil {
		t.Error("downloads over ftp")
	}
}

func TestTheProgramHasOneName(t *testing.T) {
	for name, part := range map[string]string{
		"footnote.metainfo.xml":       "<id>" + appID + "</id>",
		"Info.plist":                  "<key>CFBundleIdentifier</key><string>" + appID + "</string>",
		"channels/" + appID + ".json": "install -Dm644 usr/share/metainfo/" + appID + ".metainfo.xml ", // as the .deb has it
	} {
		text, err := os.ReadFile(filepath.Join("packaging", filepath.FromSlash(name)))
		if err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%s: %v, no %s", name, err, part)
		}
	}
}
