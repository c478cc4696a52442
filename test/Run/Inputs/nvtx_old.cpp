// Calls NVTX's functions of the library, as programs of before NVTX 3 do.
extern "C" int nvtxRangePushA(const char *);
extern "C" int nvtxRangePop();

int main() {
  const int depth = nvtxRangePushA("from the library");
  return depth != 0 || nvtxRangePop() != 0;
}
