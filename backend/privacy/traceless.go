package privacy

import "context"

type tracelessKey struct{}

// WithoutTrace has nothing kept of what is done under ctx: it is for a private
// conversation.
func WithoutTrace(ctx context.Context) context.Context {
	return context.WithValue(ctx, tracelessKey{}, true)
}

// Traceless reports whether nothing may be kept.
func Traceless(ctx context.Context) bool {
	on, _ := ctx.Value(tracelessKey{}).(bool)
	return on
}
