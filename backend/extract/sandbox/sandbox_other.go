//go:build !linux && !darwin

package sandbox

// Enter does nothing here: whoever starts the process takes its rights (Start).
func Enter(Rules) error { return nil }

// Wrap leaves a command as it is.
func Wrap(_ Rules, command []string) []string { return command }

// Missing says what of this system a box lacks; empty when nothing.
func Missing() string {
	return "This system does not keep programs of one person from each other's files and the network."
}
