package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"footnote/build/minisign"
)

// signing is what the environment gives to sign with. Without it a release can be
// tried, and says by its files' names that nobody stands for them.
type signing struct {
	minisign              string // file of a secret key without a password, for SHA256SUMS
	gpg                   string // id of a key, for SHA256SUMS as well
	windowsCert, winKey   string // files for Authenticode
	macIdentity, notary   string // of codesign, and notarytool's profile in the keychain
	maintainer, publisher string // who stands for packages, with an address
}

func signingOf(env func(string) string) signing {
	return signing{
		minisign: env("FOOTNOTE_MINISIGN_KEY"), gpg: env("FOOTNOTE_GPG_KEY"),
		windowsCert: env("FOOTNOTE_WINDOWS_CERT"), winKey: env("FOOTNOTE_WINDOWS_KEY"),
		macIdentity: env("FOOTNOTE_MAC_IDENTITY"), notary: env("FOOTNOTE_MAC_NOTARY"),
		maintainer: env("FOOTNOTE_MAINTAINER"), publisher: env("FOOTNOTE_HOMEPAGE"),
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
	return nil
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
		text, err := os.ReadFile(r.sign.minisign)
		if err != nil {
			return fmt.Errorf("read FOOTNOTE_MINISIGN_KEY: %w", err)
		}
		key, err := minisign.ReadSecret(text)
		if err != nil {
			return fmt.Errorf("read FOOTNOTE_MINISIGN_KEY: %w", err)
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
