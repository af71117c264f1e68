// Package typescript prints the TypeScript types of the JSON that Go types are
// written as: the page's half of the contract.
package typescript
