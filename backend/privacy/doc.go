// Package privacy says what may leave this computer, and counts what did: what was
// read from files stays out of the queries and addresses that a conversation
// sends, and a ledger has what went to each host and came from it.
package privacy
