// Package tidy takes out of the tree of a page what stands around its text: banners that ask
// for consent, the way to the page, what may be done with it, advertisements, what stands
// below pictures. It finds what extractors of articles lose: headlines and tables.
package tidy
