// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver API: captures of streams.

#include "Driver.h"

using namespace het::cuda;
using namespace het::cuda::driver;

CUresult cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode) try {
  return through([&] {
    return cudaStreamBeginCapture(hStream, static_cast<cudaStreamCaptureMode>(mode));
  });
}
HET_CATCH

CUresult cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
                                     const CUgraphNode *dependencies,
                                     const CUgraphEdgeData *dependencyData,
                                     size_t numDependencies,
                                     CUstreamCaptureMode mode) try {
  return through([&] {
    return cudaStreamBeginCaptureToGraph(
        hStream, hGraph, dependencies,
        reinterpret_cast<const cudaGraphEdgeData *>(dependencyData), numDependencies,
        static_cast<cudaStreamCaptureMode>(mode));
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

CUresult cuStreamEndCapture(CUstream hStream, CUgraph *phGraph) try {
  return through([&] { return cudaStreamEndCapture(hStream, phGraph); });
}
HET_CATCH

CUresult cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus) try {
  return through([&] {
    return cudaStreamIsCapturing(
        hStream, reinterpret_cast<cudaStreamCaptureStatus *>(captureStatus));
  });
}
HET_CATCH

CUresult cuStreamGetCaptureInfo_v2(CUstream hStream,
                                   CUstreamCaptureStatus *captureStatus_out,
                                   cuuint64_t *id_out, CUgraph *graph_out,
                                   const CUgraphNode **dependencies_out,
                                   size_t *numDependencies_out) try {
  return through([&] {
    return cudaStreamGetCaptureInfo_v2(
        hStream, reinterpret_cast<cudaStreamCaptureStatus *>(captureStatus_out),
        reinterpret_cast<unsigned long long *>(id_out), graph_out, dependencies_out,
        numDependencies_out);
  });
}
HET_CATCH

CUresult cuStreamGetCaptureInfo_v3(CUstream hStream,
                                   CUstreamCaptureStatus *captureStatus_out,
                                   cuuint64_t *id_out, CUgraph *graph_out,
                                   const CUgraphNode **dependencies_out,
                                   const CUgraphEdgeData **edgeData_out,
                                   size_t *numDependencies_out) try {
  return through([&] {
    return cudaStreamGetCaptureInfo_v3(
        hStream, reinterpret_cast<cudaStreamCaptureStatus *>(captureStatus_out),
        reinterpret_cast<unsigned long long *>(id_out), graph_out, dependencies_out,
        reinterpret_cast<const cudaGraphEdgeData **>(edgeData_out), numDependencies_out);
  });
}
HET_CATCH

CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
                                           size_t numDependencies,
                                           unsigned int flags) try {
  return through([&] {
    return cudaStreamUpdateCaptureDependencies(hStream, dependencies, numDependencies,
                                               flags);
  });
}
HET_CATCH

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode *dependencies,
                                              const CUgraphEdgeData *dependencyData,
                                              size_t numDependencies,
                                              unsigned int flags) try {
  return through([&] {
    return cudaStreamUpdateCaptureDependencies_v2(
        hStream, dependencies,
        reinterpret_cast<const cudaGraphEdgeData *>(dependencyData), numDependencies,
        flags);
  });
}
HET_CATCH
