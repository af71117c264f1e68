// Package privacy says what may leave this computer: what was read from files
// stays out of the queries and addresses that a conversation sends.
package privacy
