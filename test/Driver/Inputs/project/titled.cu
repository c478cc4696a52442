static_assert(sizeof(TITLE) == sizeof("a string with spaces"), "");

__global__ void titled(char *c) { *c = TITLE[0]; }
