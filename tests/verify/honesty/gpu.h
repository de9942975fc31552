/* What of CUDA and BLAS the programs need. */
#include <stddef.h>

enum { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
int cudaMalloc(void **p, size_t bytes);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemset(void *to, int byte, size_t bytes);
int cudaFree(void *p);
typedef struct cublasContext *cublasHandle_t;
int cublasSgemm_v2(cublasHandle_t h, int ta, int tb, int m, int n, int k, const float *alpha, const float *a, int lda,
                   const float *b, int ldb, const float *beta, float *c, int ldc);
int cublasGemmEx(cublasHandle_t h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int at,
                 int lda, const void *b, int bt, int ldb, const void *beta, void *c, int ct, int ldc, int compute,
                 int algo);
void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                 int ldb, float beta, float *c, int ldc);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
