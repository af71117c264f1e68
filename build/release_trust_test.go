package main

import (
	"bytes"
	"context"
	"debug/macho"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatIsUnsignedSaysSoInItsName(t *testing.T) {
	names := func(s signing) string {
		r := &release{job: &job{}, version: "1.2.3", sign: s}
		var all []string
		for _, a := range r.artefacts() {
			all = append(all, a.name)
		}
		return strings.Join(all, "\n")
	}
	if got := names(signing{}); strings.Count(got, "-unsigned.")+strings.Count(got, "-unsigned_setup.exe") != strings.Count(got, "\n")+1 {
		t.Errorf("nothing is signed, and names say\n%s", got)
	}
	if got := names(signing{minisign: "key", windowsCert: "c", winKey: "k", macIdentity: "i"}); strings.Contains(got, "unsigned") || strings.Contains(got, "VERSION") {
		t.Errorf("all is signed, and names say\n%s", got)
	}
	if err := (signing{minisign: "key"}).whole(); err == nil {
		t.Error("a signed release names nobody")
	}
}

func TestAReleaseThatLacksAnArtefactFails(t *testing.T) {
	r := &release{job: &job{}, out: t.TempDir()}
	list := []artefact{{name: "a.deb"}, {name: "b.rpm"}}
	writeAll(t, r.out, map[string]string{"a.deb": "x", "a.deb.cdx.json": "{}", "b.rpm": ""})
	if err := r.complete(list); err == nil || !strings.HasSuffix(err.Error(), ": b.rpm, b.rpm.cdx.json") {
		t.Error(err)
	}
	writeAll(t, r.out, map[string]string{"b.rpm": "y", "b.rpm.cdx.json": "{}"})
	if err := r.complete(list); err != nil {
		t.Error(err)
	}
	if _, err := r.chosen("linux,amiga"); err == nil {
		t.Error("a release for the Amiga")
	}
}

func TestABillNamesWhatTheLockFileDoes(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "frontend", "node_modules")); err != nil {
		t.Skip("the front end's packages are not installed")
	}
	list, err := npmBill(filepath.Join("..", "frontend", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range list {
		seen[c.Name] = true
		if len(c.Licences) == 0 {
			t.Errorf("%s has no licence", c.Name)
		}
	}
	for _, name := range []string{"svelte", "pdfjs-dist", "katex", "@fontsource-variable/geist"} {
		if !seen[name] {
			t.Errorf("%s is in the pages and not in the bill", name)
		}
	}
	if seen["@napi-rs/canvas"] || seen["@napi-rs/canvas-linux-x64-gnu"] {
		t.Error("what npm installs for one system is in the bill, and so in LICENSES.txt")
	}
	if seen["vitest"] || seen["playwright-core"] {
		t.Error("tools of the build are in the bill")
	}
}

func TestABillNamesTheLicenceOfEachModel(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "frontend", "node_modules")); err != nil {
		t.Skip("the front end's packages are not installed")
	}
	r := &release{job: &job{root: ".."}}
	list, err := r.ingredients()
	if err != nil {
		t.Fatal(err)
	}
	notice, err := os.ReadFile(filepath.Join("..", "backend", "embed", "weights", "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	models := 0
	for _, c := range list {
		if c.Type != "machine-learning-model" {
			continue
		}
		models++
		if _, told, ok := strings.Cut(string(notice), c.Name+"\n\n"); !ok || strings.Contains(strings.SplitN(told, "\n\n", 2)[0], "MIT licence") != (c.Licences[0].Expression == "MIT") {
			t.Errorf("%s is under %s in the bill, and the notice says otherwise", c.Name, c.Licences[0].Expression)
		}
	}
	if models != len(weightLicences) {
		t.Errorf("%d models, licences of %d", models, len(weightLicences))
	}
}

func TestABillDiffersFromAnotherProgram(t *testing.T) {
	list := bill{{Name: "std", PURL: "pkg:golang/std@1.26.0"}, {Name: "a.org/b", PURL: "pkg:golang/a.org/b@v1.0.0"}}
	told := "prog: go1.26\n\tpath\tfootnote\n\tdep\ta.org/b\tv1.0.0\th1:x\n"
	if err := sameModules(list, told); err != nil {
		t.Error(err)
	}
	if sameModules(list, told+"\tdep\ta.org/c\tv1.0.0\th1:x\n") == nil || sameModules(list, "") == nil {
		t.Error("a bill passes for another program's")
	}
}

func TestLicencesAreToldByTheirWords(t *testing.T) {
	for text, want := range map[string]string{
		"Permission is hereby granted, free of charge, to any person obtaining a copy\nof":          "MIT",
		"Redistribution and use in source and binary forms, with":                                   "BSD-2-Clause",
		"Redistribution and use in source and binary forms ... endorse or promote products derived": "BSD-3-Clause",
		"Apache License\n Version 2.0": "Apache-2.0",
		"All rights reserved":          "",
	} {
		if got := licenceNames(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAUniversalProgramHoldsBoth(t *testing.T) {
	part := func(cpu macho.Cpu, size int) []byte {
		head := binary.LittleEndian.AppendUint32(nil, macho.Magic64)
		head = binary.LittleEndian.AppendUint32(head, uint32(cpu))
		return append(head, make([]byte, size)...)
	}
	file, err := fat([][]byte{part(macho.CpuAmd64, 20000), part(macho.CpuArm64, 300)})
	if err != nil {
		t.Fatal(err)
	}
	read, err := macho.NewFatFile(bytes.NewReader(file))
	if err != nil || len(read.Arches) != 2 || read.Arches[0].Cpu != macho.CpuAmd64 || read.Arches[1].Cpu != macho.CpuArm64 {
		t.Fatalf("%v %+v", err, read)
	}
	for _, a := range read.Arches {
		if a.Offset%(1<<a.Align) != 0 || int(a.Offset+a.Size) > len(file) {
			t.Errorf("%+v", a.FatArchHeader)
		}
	}
	if _, err := fat([][]byte{[]byte("a text, no program")}); err == nil {
		t.Error("a text is a program")
	}
}

func TestAReleaseOfChangesThatAreNotCommittedIsRefused(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	j := &job{root: t.TempDir()}
	writeAll(t, j.root, map[string]string{"main.go": "package main\n\nvar version = \"1.2.3\"\n"})
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-C", j.root, "-c", "user.name=n", "-c", "user.email=n@example.org"}, args...)
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "x")
	t.Setenv("SOURCE_DATE_EPOCH", "1000000000")
	r, err := newRelease(context.Background(), j, false)
	if err != nil || r.version != "1.2.3" || len(r.commit) != 40 || r.when.Unix() != 1000000000 {
		t.Fatalf("%v %+v", err, r)
	}
	git("tag", "v2.0.0")
	if _, err := newRelease(context.Background(), j, false); err == nil || !strings.Contains(err.Error(), "v2.0.0") {
		t.Errorf("a tag of another version: %v", err)
	}
	git("tag", "v1.2.3")
	if _, err := newRelease(context.Background(), j, false); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(j.root, "stray"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := newRelease(context.Background(), j, false); err == nil || !strings.Contains(err.Error(), "stray") {
		t.Error(err)
	}
}

func TestEveryPackageOfThePagesHasALicenceText(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "frontend", "node_modules")); err != nil {
		t.Skip("the front end's packages are not installed")
	}
	packages, err := npmPackages(filepath.Join("..", "frontend", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(filepath.Join("..", "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	var parts []part
	for _, p := range packages {
		parts = append(parts, part{p.label(), p.dir})
	}
	text, err := joinLicences(parts, string(own))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		if !strings.Contains(string(text), "\n"+p.label()+"\n") {
			t.Errorf("%s is not told of", p.label())
		}
	}
}
