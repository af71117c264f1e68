package web

import (
	"context"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/privacy"
)

func TestWhatGoesOutBesideRunsIsBooked(t *testing.T) {
	server, book := openDoor(t), &shelfBook{}
	address, client := server.named(t, nil)
	ledger := privacy.NewAside(book, quiet)
	client = Booked(client, ledger)
	ctx := privacy.Carrying(t.Context(), "psg_a")
	exchange(t, ctx, client, address, "/v1/embeddings")
	if kept, _ := book.Load(ctx); len(kept) != 1 || kept[0].Purpose != "page" {
		t.Errorf("at once, %+v was kept", kept)
	}
	exchange(t, ctx, client, address, "/v1/embeddings")
	run, meter := privacy.WithMeter(t.Context())
	exchange(t, run, client, address, "/chat")
	exchange(t, t.Context(), Booked(NewEndpointClient(server.URL, nil), ledger), server.URL, "/here")
	ledger.Close()

	kept, _ := book.Load(ctx)
	if len(kept) != 1 || kept[0].Requests != 2 || kept[0].BytesOut == 0 || kept[0].BytesIn == 0 || len(kept[0].Sent) != 1 || kept[0].Sent[0] != evidence.PassageID("psg_a") {
		t.Errorf("kept: %+v", kept)
	}
	if of := meter.Entries(); len(of) != 1 || of[0].Purpose != "chat" || of[0].Requests != 1 {
		t.Errorf("the run's: %+v", of)
	}

	again := privacy.NewAside(book, quiet)
	exchange(t, ctx, Booked(client, again), address, "/v1/embeddings")
	if went := again.Entries(context.Background()); len(went) != 1 || went[0].Requests != 3 || len(went[0].Sent) != 1 {
		t.Errorf("after a restart: %+v", went)
	}
	again.Close()
}
