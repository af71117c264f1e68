package update

// Due reports whether it is time to ask.
func Due(c *Checker) bool { return c.due() }
