// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the arguments of the many cudaMemcpy… and cudaMemset… functions to one
// checked CopyOperation or FillOperation, and from there into a stream with
// CUDA's rules about who waits.

#ifndef HET_RUNTIME_CUDA_COPY_H
#define HET_RUNTIME_CUDA_COPY_H

#include "Operation.h"

#include <climits>

namespace het::cuda {

/// The greatest pitch: what cudaDeviceProp says.
inline constexpr size_t maxPitch = INT_MAX;

/// Moves a region's base by bytes, rows and planes. False if that leaves its allocation,
/// or all addresses.
bool advance(Region &region, size_t byte, size_t row, size_t plane);

/// The bytes of a plane; more than there can be if it is too large.
size_t planeOf(size_t pitch, size_t rows);

/// Each fills `copy` or fails. A copy of no bytes has a width of 0.
cudaError_t makeCopy(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                     CopyOperation &copy);
cudaError_t makeCopy2D(Region to, Region from, size_t width, size_t height,
                       cudaMemcpyKind kind, CopyOperation &copy);
cudaError_t makeCopy3D(const cudaMemcpy3DParms *params, CopyOperation &copy);

/// Checks direction, ranges and pitches of a copy that was filled by hand.
cudaError_t checkCopy(const CopyOperation &copy);
cudaError_t checkFill(const FillOperation &fill);

/// Makes one long row of rows, and one plane of planes, that touch; of what is not empty.
void mergeRows(CopyOperation &copy);
void mergeRows(FillOperation &fill);
bool isEmpty(const CopyOperation &copy);
bool isEmpty(const FillOperation &fill);

/// Gives a copy or fill to a stream that is not capturing, piece by piece.
cudaError_t runCopy(CUstream_st &stream, CopyOperation copy);
cudaError_t runFill(CUstream_st &stream, FillOperation fill);

/// Whether the caller waits for the operation.
enum class Wait { No, Yes };

/// Submits to the stream. Memory of the host that is neither pinned nor managed
/// may be reused by the caller as soon as this returns, also with Wait::No.
cudaError_t submitCopy(cudaStream_t stream, const CopyOperation &copy, Wait wait);
cudaError_t submitFill(cudaStream_t stream, const FillOperation &fill, Wait wait);

} // namespace het::cuda

#endif // HET_RUNTIME_CUDA_COPY_H
