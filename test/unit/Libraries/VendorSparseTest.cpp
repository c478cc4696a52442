// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of cuSPARSE that go to NVIDIA's library.

#include "VendorSupport.h"

#include <cusparse.h>
#include <gmock/gmock.h>

namespace {

using testing::ElementsAre;
using Calls = std::vector<std::string>;

constexpr cusparseOperation_t plainly = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr float one = 1, zero = 0;

/// Integers on the device, as floats of the same bits.
std::vector<float> bitsOf(const std::vector<int> &numbers) {
  std::vector<float> bits(numbers.size());
  std::memcpy(bits.data(), numbers.data(), numbers.size() * sizeof(int));
  return bits;
}

/// The matrix of rows (2 0) and (1 3), and vectors.
class CusparseVendorTest : public VendorTest {
protected:
  void SetUp() override {
    VendorTest::SetUp();
    setenv("HET_LIBRARIES", "vendor,portable", 1);
    ASSERT_EQ(cusparseCreate(&handle), CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(cusparseCreateCsr(&matrix, 2, 2, 3, offsets, indices, values,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
              CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(cusparseCreateDnVec(&x, 2, from, CUDA_R_32F), CUSPARSE_STATUS_SUCCESS);
    ASSERT_EQ(cusparseCreateDnVec(&y, 2, to, CUDA_R_32F), CUSPARSE_STATUS_SUCCESS);
    take(*cusparse);
  }
  void TearDown() override {
    EXPECT_EQ(cusparseDestroyDnVec(x), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(cusparseDestroyDnVec(y), CUSPARSE_STATUS_SUCCESS);
    if (matrix)
      EXPECT_EQ(cusparseDestroySpMat(matrix), CUSPARSE_STATUS_SUCCESS);
    EXPECT_EQ(cusparseDestroy(handle), CUSPARSE_STATUS_SUCCESS);
    VendorTest::TearDown();
  }
  cusparseStatus_t multiply(void *buffer = nullptr) {
    return cusparseSpMV(handle, plainly, &one, matrix, x, &zero, y, CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, buffer);
  }

  Floats offsets{bitsOf({0, 1, 3})}, indices{bitsOf({0, 0, 1})}, values{{2, 1, 3}},
      others{{4, 4, 4}}, from{{1, 10}}, to{{0, 0}};
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
};

TEST_F(CusparseVendorTest, OrderedInTheStream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cusparseSetStream(handle, stream), CUSPARSE_STATUS_SUCCESS);
  const std::vector<float> numbers = {2, 20};
  std::vector<float> result(2);
  ASSERT_EQ(cudaMemcpyAsync(from, numbers.data(), 8, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  ASSERT_EQ(multiply(), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cudaMemcpyAsync(result.data(), to, 8, cudaMemcpyDeviceToHost, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_THAT(result, ElementsAre(4, 62));
  EXPECT_EQ(take(*cusparse), (Calls{"CreateCsr 3", "SetStream", "SpMV"}));
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

// NVIDIA's description stays as long as ours says the same, with what was found in it.
TEST_F(CusparseVendorTest, DescriptionsStay) {
  size_t size = 0;
  Floats buffer(std::vector<float>(22));
  ASSERT_EQ(cusparseSpMV_bufferSize(handle, plainly, &one, matrix, x, &zero, y,
                                    CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &size),
            CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(size, 88u);
  ASSERT_EQ(cusparseSpMV_preprocess(handle, plainly, &one, matrix, x, &zero, y,
                                    CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer),
            CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseSpMatSetValues(matrix, others), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(multiply(buffer), CUSPARSE_STATUS_SUCCESS);
  EXPECT_THAT(to.get(), ElementsAre(4, 44));
  EXPECT_EQ(take(*cusparse),
            (Calls{"CreateCsr 3", "SpMV_bufferSize", "SetStream", "SpMV_preprocess",
                   "SpMatSetValues", "SpMV prepared"}));
  int fill = CUSPARSE_FILL_MODE_UPPER;
  ASSERT_EQ(
      cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)),
      CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(multiply(), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(take(*cusparse),
            (Calls{"DestroySpMat", "CreateCsr 3", "SpMatSetAttribute 0 1",
                   "SpMatSetAttribute 1 0", "SpMV"}));
  ASSERT_EQ(cusparseDestroySpMat(matrix), CUSPARSE_STATUS_SUCCESS);
  matrix = nullptr;
  EXPECT_EQ(take(*cusparse), Calls{"DestroySpMat"});
}

// How many elements a product has is found by NVIDIA's; the program reads it from ours.
TEST_F(CusparseVendorTest, SizesThatAreFound) {
  cusparseSpMatDescr_t c = nullptr;
  cusparseSpGEMMDescr_t step = nullptr;
  Floats buffer(std::vector<float>(25)), found(std::vector<float>(7));
  size_t size = 0;
  int64_t rows = 0, columns = 0, entries = 0;
  ASSERT_EQ(cusparseCreateCsr(&c, 2, 2, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
            CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseSpGEMM_createDescr(&step), CUSPARSE_STATUS_SUCCESS);
  for (void *place : {static_cast<void *>(nullptr), static_cast<void *>(buffer)})
    ASSERT_EQ(cusparseSpGEMM_compute(handle, plainly, plainly, &one, matrix, matrix,
                                     &zero, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, step,
                                     &size, place),
              CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(size, 99u);
  ASSERT_EQ(cusparseSpMatGetSize(c, &rows, &columns, &entries), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(entries, 7);
  ASSERT_EQ(cusparseCsrSetPointers(c, offsets, indices, found), CUSPARSE_STATUS_SUCCESS);
  take(*cusparse);
  ASSERT_EQ(cusparseSpGEMM_copy(handle, plainly, plainly, &one, matrix, matrix, &zero, c,
                                CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, step),
            CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(take(*cusparse), (Calls{"CsrSetPointers", "SpGEMM_copy 7 into values"}));
  ASSERT_EQ(cusparseSpGEMM_destroyDescr(step), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cusparseDestroySpMat(c), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(take(*cusparse), (Calls{"SpGEMM_destroyDescr", "DestroySpMat"}));
}

TEST_F(CusparseVendorTest, Captures) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  size_t size = 0, count = 0;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cusparseSetStream(handle, stream), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cusparseSpMV_bufferSize(handle, plainly, &one, matrix, x, &zero, y,
                                    CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &size),
            CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(size, 88u);
  EXPECT_EQ(multiply(), CUSPARSE_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(take(*cusparse), (Calls{"CreateCsr 3", "SpMV_bufferSize", "SetStream", "SpMV",
                                    "SetStream 0"}));
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

} // namespace
