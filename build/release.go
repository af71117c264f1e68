package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// release is one run of the command: where it builds and what it calls itself.
type release struct {
	*job
	version string
	commit  string
	when    time.Time // stamped everywhere: the same sources give the same bytes
	stage   string    // folders that become packages
	out     string    // the packages
	sign    signing
	parts   bill              // what is in every program besides Go modules
	dirs    map[string]string // of modules
	laid    map[string]bool   // folders of packages that are whole
}

// packages builds what people install, with a bill of materials beside each, and
// writes and signs the digests of all.
func packages(ctx context.Context, j *job) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	only := flags.String("only", "", "systems: "+strings.Join(systems, ","))
	dirty := flags.Bool("dirty", false, "try it with changes that are not committed")
	twice := flags.Bool("twice", false, "make it once more in another folder, and compare byte for byte")
	finish := flags.Bool("finish", false, "make nothing: sum up and sign what several machines made, all of which lies in build/out/release")
	if err := flags.Parse(os.Args[2:]); err != nil {
		return err
	}
	if *dirty && *twice {
		return errors.New("--twice compares builds of what is committed, --dirty tries what is not")
	}
	r, err := newRelease(ctx, j, *dirty)
	if err != nil {
		return err
	}
	if *finish {
		list, err := r.finish()
		if err != nil {
			return err
		}
		return r.close(ctx, list)
	}
	list, err := r.chosen(*only)
	if err != nil {
		return err
	}
	if err := r.prepare(ctx); err != nil {
		return err
	}
	if err := r.makeAll(ctx, list); err != nil {
		return err
	}
	if err := r.close(ctx, list); err != nil || !*twice {
		return err
	}
	return r.same(ctx, *only)
}

// makeAll makes artefacts, and fails where one is missing.
func (r *release) makeAll(ctx context.Context, list []artefact) error {
	for i, a := range list {
		r.step(fmt.Sprintf("%d of %d: %s", i+1, len(list), a.name), func() error {
			if err := a.make(ctx, filepath.Join(r.out, a.name)); err != nil {
				return err
			}
			return r.bill(ctx, a)
		})
	}
	return errors.Join(r.outcome(), r.complete(list))
}

// close writes what is of all files together: digests and signatures, and of a
// whole release the files for package managers.
func (r *release) close(ctx context.Context, list []artefact) error {
	if err := r.announce(); err != nil {
		return err
	}
	if err := r.digests(); err != nil {
		return err
	}
	if err := r.signSums(ctx); err != nil || len(list) < len(r.artefacts()) {
		return err
	}
	return r.channels(list)
}

// newRelease says what is released: a version, a commit and its time, of a tree
// without changes.
func newRelease(ctx context.Context, j *job, dirty bool) (*release, error) {
	version, err := versionOf(j.path("main.go"))
	if err != nil {
		return nil, err
	}
	r := &release{job: j, version: version, stage: j.path("build", "out", "stage"), out: j.path("build", "out", "release"), sign: signingOf(os.Getenv), laid: map[string]bool{}}
	if err := r.sign.whole(); err != nil {
		return nil, err
	}
	changes, err := r.git(ctx, "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if changes != "" && (!dirty || r.sign.minisign != "") {
		return nil, fmt.Errorf("a release is made of what is committed; these files differ:\n%s", changes)
	}
	if r.commit, err = r.git(ctx, "rev-parse", "HEAD"); err != nil {
		return nil, err
	}
	if err := r.tagged(ctx); err != nil {
		return nil, err
	}
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	if epoch == "" {
		if epoch, err = r.git(ctx, "log", "-1", "--format=%ct"); err != nil {
			return nil, err
		}
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("SOURCE_DATE_EPOCH is no number of seconds: %q", epoch)
	}
	r.when = time.Unix(seconds, 0).UTC()
	return r, os.Setenv("SOURCE_DATE_EPOCH", epoch) // of dpkg, rpm and NSIS
}

// tagged refuses a commit whose tag is of another version than the program.
func (r *release) tagged(ctx context.Context) error {
	tags, err := r.git(ctx, "tag", "--points-at", "HEAD", "v*")
	if err != nil || tags == "" || slices.Contains(strings.Fields(tags), "v"+r.version) {
		return err
	}
	return fmt.Errorf("this commit is tagged %s, and main.go says %s", strings.Join(strings.Fields(tags), ", "), r.version)
}

func (r *release) git(ctx context.Context, args ...string) (string, error) {
	out, err := r.command(ctx, r.root, nil, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("a release is made in a clone with git: git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// prepare makes what every artefact is made from.
func (r *release) prepare(ctx context.Context) error {
	if err := r.frontend(ctx); err != nil {
		return err
	}
	r.pdfium(ctx)
	if r.tags == "" {
		return errors.New("a release holds PDFium, and it is not there")
	}
	if err := r.vulnerable(ctx); err != nil {
		return err
	}
	r.say("drawing icons")
	if err := icons(ctx, r.job); err != nil {
		return err
	}
	for _, dir := range []string{r.stage, r.out} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	var err error
	r.parts, err = r.ingredients()
	return err
}

var versionLine = regexp.MustCompile(`(?m)^var version = "([0-9]+\.[0-9]+\.[0-9]+)"$`)

func versionOf(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	m := versionLine.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s names no version", file)
	}
	return string(m[1]), nil
}

// papers are what every package says of its rights, and of those of the program in it.
func (r *release) papers(ctx context.Context, dir, program string) error {
	for _, name := range []string{"LICENSE", "NOTICE", "README.md"} {
		if err := copyFile(r.path(name), filepath.Join(dir, name), 0o644); err != nil {
			return err
		}
	}
	text, err := r.licences(ctx, program)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "LICENSES.txt"), text)
}

// digests writes SHA256SUMS of all that lies in the release.
func (r *release) digests() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "SHA256SUMS") {
			continue // of an earlier try, or of a part
		}
		sum, size, err := summed(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%s  %s\n", sum, e.Name())
		fmt.Printf("%8.1f MB  %s\n", float64(size)/1e6, e.Name())
	}
	return writeFile(filepath.Join(r.out, "SHA256SUMS"), []byte(lines.String()))
}

// summed is the digest of a file and its size.
func summed(file string) (sum string, size int64, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// archive packs the fully static program of a system.
func (r *release) archive(p program) func(context.Context, string) error {
	return func(ctx context.Context, file string) error {
		program, err := r.compiled(ctx, p)
		if err != nil {
			return err
		}
		dir := filepath.Join(r.stage, fmt.Sprintf("footnote_%s_%s_%s", r.version, p.system, p.arch))
		if err := copyFile(program, filepath.Join(dir, "footnote"), 0o755); err != nil {
			return err
		}
		if err := r.papers(ctx, dir, program); err != nil {
			return err
		}
		return packTar(dir, file)
	}
}
