package main

import "context"

// types writes the page's types anew, from the Go types and routes.
func types(ctx context.Context, j *job) error {
	return j.tool(ctx, j.root, nil, "go", "test", "./backend/server", "-run", "^TestThePageHasTheTypesOfTheRoutes$", "-count=1", "-update")
}
