#include <cooperative_groups.h>
__global__ void both() {
  cooperative_groups::this_cluster().sync();
  cooperative_groups::this_grid().sync();
}
