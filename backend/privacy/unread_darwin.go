package privacy

const arrived = 0x4004667f // FIONREAD of <sys/filio.h>
