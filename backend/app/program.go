package app

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"

	"footnote/backend/collector"
	"footnote/backend/command"
	"footnote/backend/extract"
	"footnote/backend/index"
	"footnote/backend/update"
)

// Program is what only the root knows of Footnote.
type Program struct {
	Version string
	Build   command.Build
	Assets  fs.FS               // the pages, packed in frontend/packed, and the sample library
	Bind    func(*Bindings) any // what the window binds: its package and type name it in the page
	BindBox func(*BoxBindings) any
	Updates update.Origin // of a release; where it is told of newer ones

	raised int64 // the limit of memory that was too low; 0 = it was not
}

// Run does what a command line asks for and gives the exit code. Env says where
// it was typed; the rest of it is filled in.
func (p Program) Run(ctx context.Context, env *command.Env) int {
	p.raised = collector.AtLeast(collector.Enough)
	env.Version, env.Build, env.Hidden, env.Open = p.Version, p.Build, maps.Clone(children), p.openHouse
	env.Hidden["box-window"], env.Hidden["tray-icon"] = p.boxWindow, p.trayProcess
	env.Serve, env.Window, env.Alert, env.MCP = p.serve, p.opener(), alert, protocol()
	env.Export, env.Import, env.Delete = p.export, p.bring, p.drop
	env.References = command.References{Zotero: p.zotero, CiteKeys: p.citeKeys}
	return command.Execute(ctx, env)
}

// pages are the built front end: an empty folder in a program built without it.
func (p Program) pages() (fs.FS, error) {
	const name = "frontend/packed/pages.zip"
	f, err := p.Assets.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &zip.Reader{}, nil
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	packed, ok := f.(io.ReaderAt) // read as it is asked for, while the process lasts
	if !ok {
		return nil, fmt.Errorf("%s is read from its beginning only", name)
	}
	pages, err := zip.NewReader(packed, info.Size())
	if err != nil {
		return nil, fmt.Errorf("unpack the pages: %w", err)
	}
	return fs.Sub(pages, "dist")
}

// children are the bodies of child processes: what may take the process down
// with it runs there.
var children = map[string]func(context.Context, []string) error{
	"extract-worker": func(context.Context, []string) error { return extract.ServeWorker(os.Stdin, os.Stdout) },
	"index-probe": func(_ context.Context, args []string) error {
		if len(args) != 1 {
			return errors.New("index-probe takes one folder")
		}
		return index.Probe(args[0])
	},
}
