package mcp

import (
	"net/http/httptest"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The tools are the same over HTTP, and each client has a session of its own.
func TestTheProtocolIsSpokenOverHTTP(t *testing.T) {
	caller := Handed(nil)
	server := httptest.NewServer(HTTP(t.Context(), "test", caller))
	defer server.Close()
	ids := map[string]bool{}
	for range 2 {
		client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: server.URL}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		list, err := session.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != len(tools()) {
			t.Errorf("%v, %v", list, err)
		}
		ids[session.ID()] = true
	}
	if len(ids) != 2 {
		t.Errorf("sessions %v", ids)
	}
}
