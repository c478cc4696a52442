// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: captures of streams.

#include "Driver.h"

using namespace het::cuda;
using namespace het::cuda::driver;

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) try {
  return through([&] {
    return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode));
  });
}
HET_CATCH

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *edges, size_t count,
                                     CUstreamCaptureMode mode) try {
  return through([&] {
    return cudaStreamBeginCaptureToGraph(
        stream, graph, dependencies, reinterpret_cast<const cudaGraphEdgeData *>(edges),
        count, static_cast<cudaStreamCaptureMode>(mode));
  });
}
HET_CATCH

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) try {
  return whenStarted([&] {
    return cudaThreadExchangeStreamCaptureMode(
        reinterpret_cast<cudaStreamCaptureMode *>(mode));
  });
}
HET_CATCH

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) try {
  return through([&] { return cudaStreamEndCapture(stream, graph); });
}
HET_CATCH

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) try {
  return through([&] {
    return cudaStreamIsCapturing(stream,
                                 reinterpret_cast<cudaStreamCaptureStatus *>(status));
  });
}
HET_CATCH

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status,
                                   cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, size_t *count) try {
  return through([&] {
    return cudaStreamGetCaptureInfo_v2(
        stream, reinterpret_cast<cudaStreamCaptureStatus *>(status),
        reinterpret_cast<unsigned long long *>(id), graph, dependencies, count);
  });
}
HET_CATCH

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status,
                                   cuuint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies,
                                   const CUgraphEdgeData **edges, size_t *count) try {
  return through([&] {
    return cudaStreamGetCaptureInfo_v3(
        stream, reinterpret_cast<cudaStreamCaptureStatus *>(status),
        reinterpret_cast<unsigned long long *>(id), graph, dependencies,
        reinterpret_cast<const cudaGraphEdgeData **>(edges), count);
  });
}
HET_CATCH

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,
                                           size_t count, unsigned flags) try {
  return through([&] {
    return cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
  });
}
HET_CATCH

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *dependencies,
                                              const CUgraphEdgeData *edges, size_t count,
                                              unsigned flags) try {
  return through([&] {
    return cudaStreamUpdateCaptureDependencies_v2(
        stream, dependencies, reinterpret_cast<const cudaGraphEdgeData *>(edges), count,
        flags);
  });
}
HET_CATCH
