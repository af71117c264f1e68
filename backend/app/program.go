package app

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"

	"footnote/backend/command"
	"footnote/backend/extract"
	"footnote/backend/index"
	"footnote/backend/update"
)

// Program is what only the root knows of Footnote.
type Program struct {
	Version string
	Build   command.Build
	Assets  fs.FS               // with the pages in frontend/dist, and the sample library
	Bind    func(*Bindings) any // what the window binds: its package and type name it in the page
	BindBox func(*BoxBindings) any
	Updates update.Origin // of a release; where it is told of newer ones
}

// Run does what a command line asks for and gives the exit code. Env says where
// it was typed; the rest of it is filled in.
func (p Program) Run(ctx context.Context, env *command.Env) int {
	env.Version, env.Build, env.Hidden, env.Open = p.Version, p.Build, maps.Clone(children), p.openHouse
	env.Hidden["box-window"], env.Hidden["tray-icon"] = p.boxWindow, p.trayProcess
	env.Serve, env.Window, env.Alert, env.MCP = p.serve, p.opener(), alert, protocol()
	env.Export, env.Import, env.Delete = p.export, p.bring, p.drop
	env.References = command.References{Zotero: p.zotero, CiteKeys: p.citeKeys}
	return command.Execute(ctx, env)
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
