package library

import "context"

type confirmedKey struct{}

// WithConfirmed lets paths of the system be added under ctx: a person has said so.
func WithConfirmed(ctx context.Context) context.Context {
	return context.WithValue(ctx, confirmedKey{}, true)
}

func isConfirmed(ctx context.Context) bool {
	on, _ := ctx.Value(confirmedKey{}).(bool)
	return on
}
