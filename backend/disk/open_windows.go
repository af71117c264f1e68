package disk

const openFlags = 0
