// Calls the driver API alone.
#include <cuda.h>
int main() { return cuInit(0); }
