package web_test

import (
	"context"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
)

// fixed finds the same addresses for every query.
type fixed struct {
	addresses []string
	asked     *[]string
}

func (f fixed) Find(_ context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	*f.asked = append(*f.asked, q.Text)
	var leads []evidence.Lead
	for _, a := range f.addresses {
		leads = append(leads, evidence.Lead{Source: evidence.Source{Title: a, Address: a, Kind: evidence.Web}})
	}
	return leads, nil
}
