#include <cuda_runtime.h>

int helper() { return CUDART_VERSION; }
