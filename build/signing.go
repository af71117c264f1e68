package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"footnote/backend/minisign"
	"footnote/backend/update/offer"
)

// signing is what the environment gives to sign with. Without it a release can be
// tried, and says by its files' names that nobody stands for them.
type signing struct {
	minisign              string // file of a secret key without a password, for SHA256SUMS
	gpg                   string // id of a key, for SHA256SUMS as well
	windowsCert, winKey   string // files for Authenticode
	macIdentity, notary   string // of codesign, and notarytool's profile in the keychain
	maintainer, publisher string // who stands for packages, with an address
	downloads             string // address of the folder where the files will lie, for package managers
	updates               string // address where update.json will lie; empty: the programs look for no newer version
}

func signingOf(env func(string) string) signing {
	return signing{
		minisign: env("FOOTNOTE_MINISIGN_KEY"), gpg: env("FOOTNOTE_GPG_KEY"),
		windowsCert: env("FOOTNOTE_WINDOWS_CERT"), winKey: env("FOOTNOTE_WINDOWS_KEY"),
		macIdentity: env("FOOTNOTE_MAC_IDENTITY"), notary: env("FOOTNOTE_MAC_NOTARY"),
		maintainer: env("FOOTNOTE_MAINTAINER"), publisher: env("FOOTNOTE_HOMEPAGE"), updates: env("FOOTNOTE_UPDATES"), downloads: env("FOOTNOTE_DOWNLOADS"),
	}
}

// covers tells whether packages of a system get a signature.
func (s signing) covers(system string) bool {
	switch system {
	case "windows":
		return s.windowsCert != "" && s.winKey != ""
	case "macos", "macos-app":
		return s.macIdentity != ""
	}
	return s.minisign != ""
}

// whole refuses a release that is signed and names nobody.
func (s signing) whole() error {
	signed := slices.ContainsFunc(systems, s.covers)
	if signed && (s.maintainer == "" || s.publisher == "") {
		return fmt.Errorf("a signed release names who made it: set FOOTNOTE_MAINTAINER (\"Name <address>\") and FOOTNOTE_HOMEPAGE")
	}
	if s.downloads != "" && !strings.HasPrefix(s.downloads, "https://") {
		return fmt.Errorf("FOOTNOTE_DOWNLOADS is an https address")
	}
	if s.updates != "" && (s.minisign == "" || !strings.HasPrefix(s.updates, "https://")) {
		return fmt.Errorf("FOOTNOTE_UPDATES is an https address, and what lies there is signed: set FOOTNOTE_MINISIGN_KEY too")
	}
	return nil
}

// minisignKey is the key for SHA256SUMS and for what tells of this version.
func (s signing) minisignKey() (minisign.Secret, error) {
	text, err := os.ReadFile(s.minisign)
	if err != nil {
		return minisign.Secret{}, fmt.Errorf("read FOOTNOTE_MINISIGN_KEY: %w", err)
	}
	key, err := minisign.ReadSecret(text)
	if err != nil {
		return minisign.Secret{}, fmt.Errorf("read FOOTNOTE_MINISIGN_KEY: %w", err)
	}
	return key, nil
}

// stamp is what the linker writes into programs: who made them and when, and who
// tells of newer ones.
func (r *release) stamp() (string, error) {
	flags := fmt.Sprintf("-s -w -X main.commit=%s -X main.date=%s", r.commit, r.when.Format(time.DateOnly))
	if r.sign.updates == "" {
		return flags, nil
	}
	key, err := r.sign.minisignKey()
	return fmt.Sprintf("%s -X main.updates=%s -X main.updateKey=%s", flags, r.sign.updates, key.Public()), err
}

// announce writes the signed text that tells older programs of this version.
func (r *release) announce() error {
	if r.sign.updates == "" {
		return nil
	}
	key, err := r.sign.minisignKey()
	if err != nil {
		return err
	}
	text, err := offer.Seal(offer.Offer{Version: r.version, Date: r.when.Format(time.DateOnly), Page: r.sign.publisher}, key)
	if err != nil {
		return fmt.Errorf("tell of this version: %w", err)
	}
	return writeFile(filepath.Join(r.out, "update.json"), text)
}

// authenticode signs a program or an installer for Windows, where there is a key.
func (r *release) authenticode(ctx context.Context, file string) error {
	if !r.sign.covers("windows") {
		return nil
	}
	if err := r.quiet(ctx, r.root, nil, "osslsigncode", "sign", "-certs", r.sign.windowsCert, "-key", r.sign.winKey, "-h", "sha256", "-n", "Footnote", "-in", file, "-out", file+".signed"); err != nil {
		return err
	}
	return os.Rename(file+".signed", file)
}

// signSums signs the list of digests, so that one signature holds for all.
func (r *release) signSums(ctx context.Context) error {
	sums := filepath.Join(r.out, "SHA256SUMS")
	if r.sign.minisign != "" {
		body, err := os.ReadFile(sums)
		if err != nil {
			return err
		}
		key, err := r.sign.minisignKey()
		if err != nil {
			return err
		}
		comment := fmt.Sprintf("timestamp:%d\tfile:SHA256SUMS\tversion:%s", r.when.Unix(), r.version)
		signature := key.Sign(body, comment)
		if _, err := key.Public().Verify(body, signature); err != nil {
			return fmt.Errorf("the key of FOOTNOTE_MINISIGN_KEY is damaged: %w", err)
		}
		if err := writeFile(sums+".minisig", signature); err != nil {
			return err
		}
	}
	if r.sign.gpg == "" {
		return nil
	}
	return r.quiet(ctx, r.root, nil, "gpg", "--batch", "--yes", "--local-user", r.sign.gpg, "--armor", "--detach-sign", sums)
}
