// Package mail reads messages, mailboxes, what Outlook saved, and pages saved whole.
package mail
