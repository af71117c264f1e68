package mcp

import (
	"context"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const idleSession = 30 * time.Minute // of a client that says nothing

// HTTP is the protocol over streamable HTTP: the tools of Serve, each client with a
// session of its own. Who may come in is for the server to say.
func HTTP(serving context.Context, version string, caller Caller) http.Handler {
	return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server {
		return newServer(serving, version, newSession(caller))
	}, &sdk.StreamableHTTPOptions{SessionTimeout: idleSession, DisableLocalhostProtection: true}) // the door knows the hosts
}
