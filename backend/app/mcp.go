package app

import (
	"context"
	"io"

	"footnote/backend/command"
	"footnote/backend/mcp"
)

// protocol is the mouth of `footnote mcp`.
func protocol() command.MCP {
	return command.MCP{
		Speak: func(ctx context.Context, in io.Reader, out io.Writer, version string, call func(context.Context, []byte, func([]byte)) error) error {
			return mcp.Serve(ctx, in, out, version, mcp.Handed(call))
		},
		Answer: func(ctx context.Context, h *command.House, call []byte, out io.Writer) error {
			return protocolRooms(h).Answer(ctx, call, out)
		},
	}
}

// protocolRooms are what its calls are answered from.
func protocolRooms(h *command.House) mcp.Rooms {
	return mcp.Rooms{
		Engine: h.Engine, Archive: h.DB, Shelf: h.Library, Web: h.Engine.Web, Reader: h.Engine.Reader, Cells: h.Engine, Files: h.Library.Members, DeepText: h.Settings.Now().Limits.DeepQueryChars,
	}
}
