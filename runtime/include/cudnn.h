// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuDNN: layers of neural networks. cuDNN 8 API Reference: cudnn_ops and cudnn_cnn. Which
// of its functions there are is in docs/api/cudnn.csv.

#ifndef HET_CUDNN_H
#define HET_CUDNN_H
#define CUDNN_H_

#include <cuda_runtime.h>
#include <library_types.h>
#include <stddef.h>

#define CUDNN_MAJOR 8
#define CUDNN_MINOR 9
#define CUDNN_PATCHLEVEL 7
#define CUDNN_VERSION (CUDNN_MAJOR * 1000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)

#ifndef CUDNNWINAPI
#define CUDNNWINAPI
#endif

#define CUDNN_DIM_MAX 8
#define CUDNN_LRN_MIN_N 1
#define CUDNN_LRN_MAX_N 16
#define CUDNN_LRN_MIN_K 1e-5
#define CUDNN_LRN_MIN_BETA 0.01
#define CUDNN_BN_MIN_EPSILON 0.0

#include "__het/cudnn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HET_CUDNN cudnnStatus_t CUDNNWINAPI

/* The library and its handles, each of the device that was current. */
size_t CUDNNWINAPI cudnnGetVersion(void);
size_t CUDNNWINAPI cudnnGetMaxDeviceVersion(void);
size_t CUDNNWINAPI cudnnGetCudartVersion(void);
const char *CUDNNWINAPI cudnnGetErrorString(cudnnStatus_t status);
HET_CUDNN cudnnGetProperty(libraryPropertyType type, int *value);
HET_CUDNN cudnnCreate(cudnnHandle_t *handle);
HET_CUDNN cudnnDestroy(cudnnHandle_t handle);
HET_CUDNN cudnnSetStream(cudnnHandle_t handle, cudaStream_t streamId);
HET_CUDNN cudnnGetStream(cudnnHandle_t handle, cudaStream_t *streamId);

/* Tensors: sizes and distances of elements. */
HET_CUDNN cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *descriptor);
HET_CUDNN cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t descriptor);
HET_CUDNN cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *descriptor);
HET_CUDNN cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t descriptor);
HET_CUDNN cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *descriptor);
HET_CUDNN cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t descriptor);
HET_CUDNN cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *descriptor);
HET_CUDNN cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t descriptor);
HET_CUDNN cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t *descriptor);
HET_CUDNN cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t descriptor);
HET_CUDNN cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t *descriptor);
HET_CUDNN cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t descriptor);
HET_CUDNN cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *descriptor);
HET_CUDNN cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor);
HET_CUDNN cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t *descriptor);
HET_CUDNN cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t descriptor);
HET_CUDNN cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *descriptor);
HET_CUDNN cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t descriptor);

HET_CUDNN cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensorDesc,
                                     cudnnTensorFormat_t format, cudnnDataType_t dataType,
                                     int n, int c, int h, int w);
HET_CUDNN cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensorDesc,
                                       cudnnDataType_t dataType, int n, int c, int h,
                                       int w, int nStride, int cStride, int hStride,
                                       int wStride);
HET_CUDNN cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t tensorDesc,
                                     cudnnDataType_t *dataType, int *n, int *c, int *h,
                                     int *w, int *nStride, int *cStride, int *hStride,
                                     int *wStride);
HET_CUDNN cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensorDesc,
                                     cudnnDataType_t dataType, int nbDims,
                                     const int dimA[], const int strideA[]);
HET_CUDNN cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t tensorDesc,
                                       cudnnTensorFormat_t format,
                                       cudnnDataType_t dataType, int nbDims,
                                       const int dimA[]);
HET_CUDNN cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t tensorDesc,
                                     int nbDimsRequested, cudnnDataType_t *dataType,
                                     int *nbDims, int dimA[], int strideA[]);
HET_CUDNN cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t tensorDesc,
                                    size_t *size);

/* Element by element; B may have size 1 where the others have more. */
HET_CUDNN cudnnTransformTensor(cudnnHandle_t handle, const void *alpha,
                               const cudnnTensorDescriptor_t xDesc, const void *x,
                               const void *beta, const cudnnTensorDescriptor_t yDesc,
                               void *y);
HET_CUDNN cudnnAddTensor(cudnnHandle_t handle, const void *alpha,
                         const cudnnTensorDescriptor_t aDesc, const void *A,
                         const void *beta, const cudnnTensorDescriptor_t cDesc, void *C);
HET_CUDNN cudnnSetTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc,
                         void *y, const void *valuePtr);
HET_CUDNN cudnnScaleTensor(cudnnHandle_t handle, const cudnnTensorDescriptor_t yDesc,
                           void *y, const void *alpha);
HET_CUDNN cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc,
                                     cudnnOpTensorOp_t opTensorOp,
                                     cudnnDataType_t opTensorCompType,
                                     cudnnNanPropagation_t opTensorNanOpt);
HET_CUDNN cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t opTensorDesc,
                                     cudnnOpTensorOp_t *opTensorOp,
                                     cudnnDataType_t *opTensorCompType,
                                     cudnnNanPropagation_t *opTensorNanOpt);
HET_CUDNN cudnnOpTensor(cudnnHandle_t handle,
                        const cudnnOpTensorDescriptor_t opTensorDesc, const void *alpha1,
                        const cudnnTensorDescriptor_t aDesc, const void *A,
                        const void *alpha2, const cudnnTensorDescriptor_t bDesc,
                        const void *B, const void *beta,
                        const cudnnTensorDescriptor_t cDesc, void *C);

/* Reductions to where C has size 1. */
HET_CUDNN cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                         cudnnReduceTensorOp_t reduceTensorOp,
                                         cudnnDataType_t reduceTensorCompType,
                                         cudnnNanPropagation_t reduceTensorNanOpt,
                                         cudnnReduceTensorIndices_t reduceTensorIndices,
                                         cudnnIndicesType_t reduceTensorIndicesType);
HET_CUDNN
cudnnGetReduceTensorDescriptor(const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                               cudnnReduceTensorOp_t *reduceTensorOp,
                               cudnnDataType_t *reduceTensorCompType,
                               cudnnNanPropagation_t *reduceTensorNanOpt,
                               cudnnReduceTensorIndices_t *reduceTensorIndices,
                               cudnnIndicesType_t *reduceTensorIndicesType);
HET_CUDNN
cudnnGetReductionIndicesSize(cudnnHandle_t handle,
                             const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                             const cudnnTensorDescriptor_t aDesc,
                             const cudnnTensorDescriptor_t cDesc, size_t *sizeInBytes);
HET_CUDNN
cudnnGetReductionWorkspaceSize(cudnnHandle_t handle,
                               const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                               const cudnnTensorDescriptor_t aDesc,
                               const cudnnTensorDescriptor_t cDesc, size_t *sizeInBytes);
HET_CUDNN cudnnReduceTensor(cudnnHandle_t handle,
                            const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                            void *indices, size_t indicesSizeInBytes, void *workspace,
                            size_t workspaceSizeInBytes, const void *alpha,
                            const cudnnTensorDescriptor_t aDesc, const void *A,
                            const void *beta, const cudnnTensorDescriptor_t cDesc,
                            void *C);

/* Filters: output and input channels, and the window. */
HET_CUDNN cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filterDesc,
                                     cudnnDataType_t dataType, cudnnTensorFormat_t format,
                                     int k, int c, int h, int w);
HET_CUDNN cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t filterDesc,
                                     cudnnDataType_t *dataType,
                                     cudnnTensorFormat_t *format, int *k, int *c, int *h,
                                     int *w);
HET_CUDNN cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filterDesc,
                                     cudnnDataType_t dataType, cudnnTensorFormat_t format,
                                     int nbDims, const int filterDimA[]);
HET_CUDNN cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t filterDesc,
                                     int nbDimsRequested, cudnnDataType_t *dataType,
                                     cudnnTensorFormat_t *format, int *nbDims,
                                     int filterDimA[]);
HET_CUDNN cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t filterDesc,
                                    size_t *size);

/* Convolutions. */
HET_CUDNN cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc,
                                      cudnnMathType_t mathType);
HET_CUDNN cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t convDesc,
                                      cudnnMathType_t *mathType);
HET_CUDNN cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc,
                                        int groupCount);
HET_CUDNN cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t convDesc,
                                        int *groupCount);
HET_CUDNN cudnnSetConvolutionReorderType(cudnnConvolutionDescriptor_t convDesc,
                                         cudnnReorderType_t reorderType);
HET_CUDNN cudnnGetConvolutionReorderType(cudnnConvolutionDescriptor_t convDesc,
                                         cudnnReorderType_t *reorderType);
HET_CUDNN cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convDesc,
                                          int pad_h, int pad_w, int u, int v,
                                          int dilation_h, int dilation_w,
                                          cudnnConvolutionMode_t mode,
                                          cudnnDataType_t computeType);
HET_CUDNN cudnnGetConvolution2dDescriptor(const cudnnConvolutionDescriptor_t convDesc,
                                          int *pad_h, int *pad_w, int *u, int *v,
                                          int *dilation_h, int *dilation_w,
                                          cudnnConvolutionMode_t *mode,
                                          cudnnDataType_t *computeType);
HET_CUDNN cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convDesc,
                                          int arrayLength, const int padA[],
                                          const int filterStrideA[],
                                          const int dilationA[],
                                          cudnnConvolutionMode_t mode,
                                          cudnnDataType_t computeType);
HET_CUDNN cudnnGetConvolutionNdDescriptor(const cudnnConvolutionDescriptor_t convDesc,
                                          int arrayLengthRequested, int *arrayLength,
                                          int padA[], int strideA[], int dilationA[],
                                          cudnnConvolutionMode_t *mode,
                                          cudnnDataType_t *computeType);
HET_CUDNN
cudnnGetConvolution2dForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                      const cudnnTensorDescriptor_t inputTensorDesc,
                                      const cudnnFilterDescriptor_t filterDesc, int *n,
                                      int *c, int *h, int *w);
HET_CUDNN
cudnnGetConvolutionNdForwardOutputDim(const cudnnConvolutionDescriptor_t convDesc,
                                      const cudnnTensorDescriptor_t inputTensorDesc,
                                      const cudnnFilterDescriptor_t filterDesc,
                                      int nbDims, int tensorOuputDimA[]);

HET_CUDNN cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int *count);
HET_CUDNN cudnnFindConvolutionForwardAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
    const cudnnFilterDescriptor_t wDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t yDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionFwdAlgoPerf_t *perfResults);
HET_CUDNN cudnnFindConvolutionForwardAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnFilterDescriptor_t wDesc, const void *w,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t yDesc,
    void *y, const int requestedAlgoCount, int *returnedAlgoCount,
    cudnnConvolutionFwdAlgoPerf_t *perfResults, void *workSpace,
    size_t workSpaceSizeInBytes);
HET_CUDNN cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
    const cudnnFilterDescriptor_t wDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t yDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionFwdAlgoPerf_t *perfResults);
HET_CUDNN cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
    const cudnnFilterDescriptor_t wDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t yDesc, cudnnConvolutionFwdAlgo_t algo,
    size_t *sizeInBytes);
HET_CUDNN cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha,
                                  const cudnnTensorDescriptor_t xDesc, const void *x,
                                  const cudnnFilterDescriptor_t wDesc, const void *w,
                                  const cudnnConvolutionDescriptor_t convDesc,
                                  cudnnConvolutionFwdAlgo_t algo, void *workSpace,
                                  size_t workSpaceSizeInBytes, const void *beta,
                                  const cudnnTensorDescriptor_t yDesc, void *y);

HET_CUDNN cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t handle,
                                                             int *count);
HET_CUDNN cudnnFindConvolutionBackwardFilterAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
    const cudnnTensorDescriptor_t dyDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnFilterDescriptor_t dwDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionBwdFilterAlgoPerf_t *perfResults);
HET_CUDNN cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnFilterDescriptor_t dwDesc,
    void *dw, const int requestedAlgoCount, int *returnedAlgoCount,
    cudnnConvolutionBwdFilterAlgoPerf_t *perfResults, void *workSpace,
    size_t workSpaceSizeInBytes);
HET_CUDNN cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
    const cudnnTensorDescriptor_t dyDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnFilterDescriptor_t dwDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionBwdFilterAlgoPerf_t *perfResults);
HET_CUDNN cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t xDesc,
    const cudnnTensorDescriptor_t dyDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnFilterDescriptor_t dwDesc, cudnnConvolutionBwdFilterAlgo_t algo,
    size_t *sizeInBytes);
HET_CUDNN cudnnConvolutionBackwardFilter(
    cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t xDesc,
    const void *x, const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnConvolutionDescriptor_t convDesc, cudnnConvolutionBwdFilterAlgo_t algo,
    void *workSpace, size_t workSpaceSizeInBytes, const void *beta,
    const cudnnFilterDescriptor_t dwDesc, void *dw);

HET_CUDNN cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t handle,
                                                           int *count);
HET_CUDNN cudnnFindConvolutionBackwardDataAlgorithm(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc,
    const cudnnTensorDescriptor_t dyDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t dxDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionBwdDataAlgoPerf_t *perfResults);
HET_CUDNN cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc, const void *w,
    const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnConvolutionDescriptor_t convDesc, const cudnnTensorDescriptor_t dxDesc,
    void *dx, const int requestedAlgoCount, int *returnedAlgoCount,
    cudnnConvolutionBwdDataAlgoPerf_t *perfResults, void *workSpace,
    size_t workSpaceSizeInBytes);
HET_CUDNN cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc,
    const cudnnTensorDescriptor_t dyDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t dxDesc, const int requestedAlgoCount,
    int *returnedAlgoCount, cudnnConvolutionBwdDataAlgoPerf_t *perfResults);
HET_CUDNN cudnnGetConvolutionBackwardDataWorkspaceSize(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t wDesc,
    const cudnnTensorDescriptor_t dyDesc, const cudnnConvolutionDescriptor_t convDesc,
    const cudnnTensorDescriptor_t dxDesc, cudnnConvolutionBwdDataAlgo_t algo,
    size_t *sizeInBytes);
HET_CUDNN cudnnConvolutionBackwardData(
    cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t wDesc,
    const void *w, const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnConvolutionDescriptor_t convDesc, cudnnConvolutionBwdDataAlgo_t algo,
    void *workSpace, size_t workSpaceSizeInBytes, const void *beta,
    const cudnnTensorDescriptor_t dxDesc, void *dx);

HET_CUDNN cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void *alpha,
                                       const cudnnTensorDescriptor_t dyDesc,
                                       const void *dy, const void *beta,
                                       const cudnnTensorDescriptor_t dbDesc, void *db);
HET_CUDNN cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1, const cudnnTensorDescriptor_t xDesc,
    const void *x, const cudnnFilterDescriptor_t wDesc, const void *w,
    const cudnnConvolutionDescriptor_t convDesc, cudnnConvolutionFwdAlgo_t algo,
    void *workSpace, size_t workSpaceSizeInBytes, const void *alpha2,
    const cudnnTensorDescriptor_t zDesc, const void *z,
    const cudnnTensorDescriptor_t biasDesc, const void *bias,
    const cudnnActivationDescriptor_t activationDesc, const cudnnTensorDescriptor_t yDesc,
    void *y);

/* Softmax, activations, pooling, normalisation. */
HET_CUDNN cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo,
                              cudnnSoftmaxMode_t mode, const void *alpha,
                              const cudnnTensorDescriptor_t xDesc, const void *x,
                              const void *beta, const cudnnTensorDescriptor_t yDesc,
                              void *y);
HET_CUDNN cudnnSoftmaxBackward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo,
                               cudnnSoftmaxMode_t mode, const void *alpha,
                               const cudnnTensorDescriptor_t yDesc, const void *y,
                               const cudnnTensorDescriptor_t dyDesc, const void *dy,
                               const void *beta, const cudnnTensorDescriptor_t dxDesc,
                               void *dx);
HET_CUDNN cudnnSetActivationDescriptor(cudnnActivationDescriptor_t activationDesc,
                                       cudnnActivationMode_t mode,
                                       cudnnNanPropagation_t reluNanOpt, double coef);
HET_CUDNN cudnnGetActivationDescriptor(const cudnnActivationDescriptor_t activationDesc,
                                       cudnnActivationMode_t *mode,
                                       cudnnNanPropagation_t *reluNanOpt, double *coef);
HET_CUDNN
cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activationDesc,
                                      double swish_beta);
HET_CUDNN
cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t activationDesc,
                                      double *swish_beta);
HET_CUDNN cudnnActivationForward(cudnnHandle_t handle,
                                 cudnnActivationDescriptor_t activationDesc,
                                 const void *alpha, const cudnnTensorDescriptor_t xDesc,
                                 const void *x, const void *beta,
                                 const cudnnTensorDescriptor_t yDesc, void *y);
HET_CUDNN cudnnActivationBackward(cudnnHandle_t handle,
                                  cudnnActivationDescriptor_t activationDesc,
                                  const void *alpha, const cudnnTensorDescriptor_t yDesc,
                                  const void *y, const cudnnTensorDescriptor_t dyDesc,
                                  const void *dy, const cudnnTensorDescriptor_t xDesc,
                                  const void *x, const void *beta,
                                  const cudnnTensorDescriptor_t dxDesc, void *dx);
HET_CUDNN cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t poolingDesc,
                                      cudnnPoolingMode_t mode,
                                      cudnnNanPropagation_t maxpoolingNanOpt,
                                      int windowHeight, int windowWidth,
                                      int verticalPadding, int horizontalPadding,
                                      int verticalStride, int horizontalStride);
HET_CUDNN cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t poolingDesc,
                                      cudnnPoolingMode_t *mode,
                                      cudnnNanPropagation_t *maxpoolingNanOpt,
                                      int *windowHeight, int *windowWidth,
                                      int *verticalPadding, int *horizontalPadding,
                                      int *verticalStride, int *horizontalStride);
HET_CUDNN cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t poolingDesc,
                                      const cudnnPoolingMode_t mode,
                                      const cudnnNanPropagation_t maxpoolingNanOpt,
                                      int nbDims, const int windowDimA[],
                                      const int paddingA[], const int strideA[]);
HET_CUDNN cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t poolingDesc,
                                      int nbDimsRequested, cudnnPoolingMode_t *mode,
                                      cudnnNanPropagation_t *maxpoolingNanOpt,
                                      int *nbDims, int windowDimA[], int paddingA[],
                                      int strideA[]);
HET_CUDNN cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                            const cudnnTensorDescriptor_t inputTensorDesc,
                                            int *n, int *c, int *h, int *w);
HET_CUDNN cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t poolingDesc,
                                            const cudnnTensorDescriptor_t inputTensorDesc,
                                            int nbDims, int outputTensorDimA[]);
HET_CUDNN cudnnPoolingForward(cudnnHandle_t handle,
                              const cudnnPoolingDescriptor_t poolingDesc,
                              const void *alpha, const cudnnTensorDescriptor_t xDesc,
                              const void *x, const void *beta,
                              const cudnnTensorDescriptor_t yDesc, void *y);
HET_CUDNN cudnnPoolingBackward(cudnnHandle_t handle,
                               const cudnnPoolingDescriptor_t poolingDesc,
                               const void *alpha, const cudnnTensorDescriptor_t yDesc,
                               const void *y, const cudnnTensorDescriptor_t dyDesc,
                               const void *dy, const cudnnTensorDescriptor_t xDesc,
                               const void *x, const void *beta,
                               const cudnnTensorDescriptor_t dxDesc, void *dx);
HET_CUDNN cudnnSetLRNDescriptor(cudnnLRNDescriptor_t normDesc, unsigned lrnN,
                                double lrnAlpha, double lrnBeta, double lrnK);
HET_CUDNN cudnnGetLRNDescriptor(cudnnLRNDescriptor_t normDesc, unsigned *lrnN,
                                double *lrnAlpha, double *lrnBeta, double *lrnK);
HET_CUDNN cudnnLRNCrossChannelForward(cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc,
                                      cudnnLRNMode_t lrnMode, const void *alpha,
                                      const cudnnTensorDescriptor_t xDesc, const void *x,
                                      const void *beta,
                                      const cudnnTensorDescriptor_t yDesc, void *y);
HET_CUDNN cudnnLRNCrossChannelBackward(
    cudnnHandle_t handle, cudnnLRNDescriptor_t normDesc, cudnnLRNMode_t lrnMode,
    const void *alpha, const cudnnTensorDescriptor_t yDesc, const void *y,
    const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnTensorDescriptor_t xDesc, const void *x, const void *beta,
    const cudnnTensorDescriptor_t dxDesc, void *dx);
HET_CUDNN cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t derivedBnDesc,
                                        const cudnnTensorDescriptor_t xDesc,
                                        cudnnBatchNormMode_t mode);
HET_CUDNN cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha, const void *beta,
    const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t yDesc, void *y,
    const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void *bnScale,
    const void *bnBias, double exponentialAverageFactor, void *resultRunningMean,
    void *resultRunningVariance, double epsilon, void *resultSaveMean,
    void *resultSaveInvVariance);
HET_CUDNN cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha, const void *beta,
    const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t yDesc, void *y,
    const cudnnTensorDescriptor_t bnScaleBiasMeanVarDesc, const void *bnScale,
    const void *bnBias, const void *estimatedMean, const void *estimatedVariance,
    double epsilon);
HET_CUDNN cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alphaDataDiff,
    const void *betaDataDiff, const void *alphaParamDiff, const void *betaParamDiff,
    const cudnnTensorDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t dyDesc, const void *dy,
    const cudnnTensorDescriptor_t dxDesc, void *dx,
    const cudnnTensorDescriptor_t dBnScaleBiasDesc, const void *bnScale,
    void *dBnScaleResult, void *dBnBiasResult, double epsilon, const void *savedMean,
    const void *savedInvVariance);

/* Dropout. The states are 16 bytes of device memory, which hold nothing; the reserve
   space has a byte for each element. */
HET_CUDNN cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *sizeInBytes);
HET_CUDNN cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t xdesc,
                                          size_t *sizeInBytes);
HET_CUDNN cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc,
                                    cudnnHandle_t handle, float dropout, void *states,
                                    size_t stateSizeInBytes, unsigned long long seed);
HET_CUDNN cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t dropoutDesc,
                                    cudnnHandle_t handle, float *dropout, void **states,
                                    unsigned long long *seed);
HET_CUDNN cudnnDropoutForward(cudnnHandle_t handle,
                              const cudnnDropoutDescriptor_t dropoutDesc,
                              const cudnnTensorDescriptor_t xdesc, const void *x,
                              const cudnnTensorDescriptor_t ydesc, void *y,
                              void *reserveSpace, size_t reserveSpaceSizeInBytes);
HET_CUDNN cudnnDropoutBackward(cudnnHandle_t handle,
                               const cudnnDropoutDescriptor_t dropoutDesc,
                               const cudnnTensorDescriptor_t dydesc, const void *dy,
                               const cudnnTensorDescriptor_t dxdesc, void *dx,
                               void *reserveSpace, size_t reserveSpaceSizeInBytes);

#undef HET_CUDNN

#ifdef __cplusplus
}
#endif

#endif // HET_CUDNN_H
