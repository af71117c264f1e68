// Package api is what a reader can do, once: a service a noun, whose methods take
// and give structs, and one table that says how each is called from outside.
//
//	table.go    the rows: method and path, status, what it does, a sample    route.go  a row, and how its inputs are read
//	rooms.go    what the services stand on    input.go  where inputs come from    failure.go  errors as they are told
//
// HTTP and the window mount the table; the description of the API and the page's
// types are printed from it; the command line calls the services.
package api
