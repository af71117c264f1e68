package disk

// NoWait is empty: opening never waits on this system.
const NoWait = 0
