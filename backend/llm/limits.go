package llm

import "time"

// Limits bound a stream. There is no limit on the whole: a healthy stream may
// last as long as it brings words.
type Limits struct {
	Connect    time.Duration // until a connection stands
	FirstToken time.Duration // from the request to the first word, thought or tool call
	Idle       time.Duration // between two events; comments and empty lines do not count
	Behind     time.Duration // how far a reply may fall behind TokenTime
}

// TokenTime is what a reply may take for each token it brings. A computer without
// a graphics card that runs a model as large as it can hold is about this slow.
const TokenTime = time.Second

// DefaultLimits are those of the settings: 10 s, 120 s, 60 s; and half an hour.
func DefaultLimits() Limits {
	return Limits{Connect: 10 * time.Second, FirstToken: 120 * time.Second, Idle: 60 * time.Second, Behind: 30 * time.Minute}
}

// Filled replaces zero limits by the default ones.
func (l Limits) Filled() Limits {
	d := DefaultLimits()
	if l.Connect <= 0 {
		l.Connect = d.Connect
	}
	if l.FirstToken <= 0 {
		l.FirstToken = d.FirstToken
	}
	if l.Idle <= 0 {
		l.Idle = d.Idle
	}
	if l.Behind <= 0 {
		l.Behind = d.Behind
	}
	return l
}
