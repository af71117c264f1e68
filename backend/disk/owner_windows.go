package disk

// Owner is not known here: whom a file belongs to does not keep others from it.
func Owner(string) (uid int, known bool) { return 0, false }
