package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"footnote/backend/disk"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/records"
	"footnote/backend/settings"
)

// finding is what an examination found out about one part.
type finding struct {
	Part string `json:"part"`
	OK   bool   `json:"ok"`
	Says string `json:"says"`
	Next string `json:"next,omitempty"` // what to do about a fault
}

func newDoctor(env *Env, flags *Flags) *cobra.Command {
	var asJSON, web bool
	cmd := &cobra.Command{Use: "doctor", Short: "Examine the installation and name the next step for each fault", Args: noArgs}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&web, "web", false, "ask the search engines beyond this computer too, one word each")
	open := withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error { return tell(env, asJSON, examine(ctx, h, web)) })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := open(cmd, args)
		var ended exitCode
		if err == nil || errors.As(err, &ended) || cmd.Context().Err() != nil {
			return err
		}
		return tell(env, asJSON, fromOutside(env, flags, err)) // the data folder cannot be opened, or not be held
	}
	return cmd
}

// tell prints what was found out; a fault ends the command with its own code.
func tell(env *Env, asJSON bool, findings []finding) error {
	if asJSON {
		if err := printJSON(env.Stdout, findings); err != nil {
			return err
		}
	} else {
		printFindings(env, findings)
	}
	for _, f := range findings {
		if !f.OK {
			return exitSomeFailed
		}
	}
	return nil
}

// fromOutside is what can be said of an installation whose data folder does not
// open: why not, and what does not depend on it.
func fromOutside(env *Env, flags *Flags, why error) []finding {
	part := "data folder"
	if fault.CodeOf(why) == fault.InvalidSetting {
		part = "settings"
	}
	found := faulty(part, why)
	if found.Next == "" {
		found.Next = "Choose another folder with --data, or restore a copy that backup wrote."
	}
	findings := []finding{found}
	dir, err := settings.DataDir(flags.Data, env.Environ)
	if err != nil {
		return append(findings, clock(time.Now(), time.Time{}))
	}
	findings[0].Says = dir + ": " + findings[0].Says
	return append(findings, folder(dir), diskSpace(disk.Free(dir)), clock(time.Now(), time.Time{}))
}

// folder tells whether the data folder is there and can be written, and whether
// others can look into it.
func folder(dir string) finding {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return finding{"folder", false, dir + " is not there.", "Make it, or choose another with --data."}
	}
	if err != nil || !info.IsDir() {
		return finding{"folder", false, dir + " is not a folder that can be read.", "Choose another with --data."}
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return finding{"folder", false, "Other users of this computer can look into " + dir + ".", "Take their rights away: chmod 700 " + dir}
	}
	probe, err := os.CreateTemp(dir, ".footnote-*")
	if err != nil {
		return finding{"folder", false, dir + " cannot be written.", "Take the write protection away, or choose another with --data."}
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return finding{"folder", false, dir + " cannot be written.", "Check the disk it is on."}
	}
	return finding{Part: "folder", OK: true, Says: "it can be written, by its owner alone"}
}

func printFindings(env *Env, findings []finding) {
	for _, f := range findings {
		state := "ok"
		if !f.OK {
			state = "FAULT"
		}
		fmt.Fprintf(env.Stdout, "%-8s %s: %s\n", state, f.Part, safeLine(f.Says))
		if f.Next != "" {
			fmt.Fprintf(env.Stdout, "         next: %s\n", safeLine(f.Next))
		}
	}
}

// examine looks at every part; it asks the model that is chosen and the engines
// on this computer, and with web also those beyond it.
func examine(ctx context.Context, h *House, web bool) []finding {
	dir := h.Settings.DataDir()
	findings := []finding{{Part: "data folder", OK: true, Says: dir}, folder(dir), changed(h)}
	for _, name := range h.Settings.Unknown() {
		findings = append(findings, finding{"environment", false, name + " names no setting.", "Unset it or correct its name."})
	}
	findings = append(findings, diskSpace(disk.Free(dir)), clock(time.Now(), newest(ctx, h)))
	findings = append(findings, shelf(ctx, h)...)
	findings = append(append(findings, keychain(h)...), reader(h.Confined(ctx)))
	return append(append(findings, chatModel(ctx, h)), engines(ctx, h, web)...)
}

const (
	enoughSpace = 512 << 20
	builtIn     = 2026 // no clock is right that says an earlier year
	clockSlack  = 10 * time.Minute
)

func diskSpace(free int64, known bool) finding {
	switch {
	case !known:
		return finding{Part: "disk", OK: true, Says: "how much is free is not known here"}
	case free < enoughSpace:
		return finding{"disk", false, fmt.Sprintf("%d MB are free.", free>>20), "Make space: when the disk is full, no file can be read and no answer kept."}
	}
	return finding{Part: "disk", OK: true, Says: fmt.Sprintf("%d MB are free", free>>20)}
}

// clock compares the time with that of the last question, which was asked before.
func clock(now, last time.Time) finding {
	if last.After(now.Add(clockSlack)) {
		return finding{"clock", false, "It says " + now.Format(time.DateTime) + ", and a question was asked at " + last.Format(time.DateTime) + ".", "Set it: certificates and the age of pages are judged by it."}
	}
	if now.Year() < builtIn {
		return finding{"clock", false, "It says " + now.Format(time.DateOnly) + ".", "Set it: certificates and the age of pages are judged by it."}
	}
	return finding{Part: "clock", OK: true, Says: now.Format(time.DateTime)}
}

// newest is when the last question was asked; zero when none was.
func newest(ctx context.Context, h *House) time.Time {
	runs, _, err := h.DB.Runs(ctx, records.RunQuery{Limit: 1})
	if err != nil || len(runs) == 0 {
		return time.Time{}
	}
	return runs[0].Started
}

// changed lists the settings that are not the standard ones, and where each
// comes from.
func changed(h *House) finding {
	var from []string
	for key, origin := range h.Settings.Origin() {
		if origin != "default" {
			from = append(from, key+" ("+origin+")")
		}
	}
	if len(from) == 0 {
		return finding{Part: "settings", OK: true, Says: "all as they come"}
	}
	slices.Sort(from)
	return finding{Part: "settings", OK: true, Says: strings.Join(from, ", ")}
}

func shelf(ctx context.Context, h *House) []finding {
	s, err := h.Library.Status(ctx)
	if err != nil {
		return []finding{faulty("library", err)}
	}
	t := s.Totals
	findings := []finding{{Part: "library", OK: true, Says: fmt.Sprintf("%d files, %d of them could not be read; %d passages", t.Files, t.Failed, t.Chunks)}}
	for _, r := range s.Roots {
		if !r.Reachable {
			findings = append(findings, finding{"folder", false, r.Path + " is not reachable.", "Connect the drive, or remove the folder from the library."})
		} else if why := library.Unreadable(r); why != "" {
			findings = append(findings, finding{"folder", false, r.Path + " cannot be read. " + why, "Give your account the right to read it; it is read within a minute."})
		}
	}
	switch {
	case s.Rebuilding:
		return append(findings, finding{"index", false, "It is being built anew.", "Wait until it is; answers may miss files until then."})
	case t.Indexed < t.Chunks:
		return append(findings, finding{Part: "index", OK: true, Says: fmt.Sprintf("%d of %d passages can be searched; the rest follow when the library is at work", t.Indexed, t.Chunks)})
	}
	return append(findings, finding{Part: "index", OK: true, Says: "every passage can be searched"})
}

// keychain tries to read each key that was stored.
func keychain(h *House) []finding {
	var findings []finding
	for _, name := range h.Keys.Names() {
		if _, ok := h.Keys.Get(name); !ok {
			findings = append(findings, finding{"key " + name, false, "The keychain does not give it.", "Unlock the keychain, or store the key again."})
		}
	}
	if findings == nil {
		findings = append(findings, finding{Part: "keys", OK: true, Says: fmt.Sprintf("%d stored, all can be read", len(h.Keys.Names()))})
	}
	return findings
}

// reader tells whether a file that takes over the process that reads it stays
// alone with itself.
func reader(gaps []string, why string, err error) finding {
	const part = "reader of files"
	if err != nil {
		return finding{part, false, "It does not start: " + err.Error(), "See that temporary files can be written (TMPDIR names their folder), or install Footnote again; until then no file is read."}
	}
	if len(gaps) > 0 {
		says := "A file that takes it over could " + strings.Join(gaps, ", ") + "."
		return finding{part, false, strings.TrimSpace(says + " " + why), "Read only files and pages that you trust, or use a system that can confine it."}
	}
	return finding{Part: part, OK: true, Says: "confined: a file that takes it over can read no other file, reach no network and start no program"}
}

func chatModel(ctx context.Context, h *House) finding {
	m, err := h.Models.Resolve(ctx, h.Settings.Now().Models.Chat)
	switch {
	case err != nil:
		return faulty("model", err)
	case m.Model == nil:
		return finding{Part: "model", OK: true, Says: "none; answers are quoted from the sources"}
	}
	return finding{Part: "model", OK: true, Says: m.Name()}
}

func faulty(part string, err error) finding {
	f := fault.Of(err)
	return finding{part, false, f.Message, f.Hint}
}
