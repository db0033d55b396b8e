// gemm_MxKxN: c = a b. gemmtn_: a stored transposed. gemmnt_: b stored transposed. lineargelu_: gelu(a b + bias).
#include "Libraries.h"
#include "Program.h"

namespace bench {

using namespace ingot;

namespace {

Row product_row(const std::string &kind, const Product &p) {
  Row row;
  row.name = kind + "_" + std::to_string(p.m) + "x" + std::to_string(p.k) + "x" + std::to_string(p.n);
  row.flops = 2.0 * double(p.m) * double(p.k) * double(p.n);
  row.bytes = 4.0 * double(p.m * p.k + p.k * p.n + p.m * p.n);
  row.cached = row.bytes < 8e6; // stays in a cache from call to call
  row.contenders = [p](const Options &options) {
    std::vector<TensorSpec> specs{f32(p.transpose_a ? Shape{p.k, p.m} : Shape{p.m, p.k}),
                                  f32(p.transpose_b ? Shape{p.n, p.k} : Shape{p.k, p.n})};
    if (p.epilogue == Epilogue::BiasGelu)
      specs.push_back(f32({p.n}));
    auto f = [p](const std::vector<Tensor> &in) {
      Tensor a = p.transpose_a ? transpose(in[0]) : in[0], b = p.transpose_b ? transpose(in[1]) : in[1];
      Tensor c = matmul(a, b);
      return std::vector<Tensor>{p.epilogue == Epilogue::BiasGelu ? gelu(c + in[2]) : c};
    };
    std::vector<Contender> list{ingot_contender(f, specs, options)};
    add_onednn_product(list, p, options);
    add_openblas_product(list, p, options);
    return list;
  };
  return row;
}

} // namespace

std::vector<Row> gemm_rows() {
  std::vector<Row> rows;
  const std::int64_t sizes[][3] = {{64, 64, 64},       {128, 128, 128},    {256, 256, 256},   {512, 512, 512},
                                   {1024, 1024, 1024}, {2048, 2048, 2048}, {1, 784, 256},     {1, 4096, 4096},
                                   {8, 4096, 4096},    {32, 784, 256},     {128, 784, 256},   {128, 256, 128},
                                   {128, 128, 10},     {197, 768, 768},    {1024, 768, 3072}, {4096, 64, 64},
                                   {1024, 1024, 1},    {127, 251, 63},     {1, 4194304, 1},   {4, 1000000, 4}};
  for (auto [m, k, n] : sizes)
    rows.push_back(product_row("gemm", {m, k, n}));
  for (auto [m, k, n] : {std::array<std::int64_t, 3>{784, 128, 256}, {512, 512, 512}, {1024, 1024, 1024}})
    rows.push_back(product_row("gemmtn", {m, k, n, true, false}));
  for (auto [m, k, n] :
       {std::array<std::int64_t, 3>{128, 128, 256}, {512, 512, 512}, {1024, 1024, 1024}, {1, 4096, 4096}})
    rows.push_back(product_row("gemmnt", {m, k, n, false, true}));
  for (auto [m, k, n] : {std::array<std::int64_t, 3>{128, 784, 256}, {512, 768, 3072}})
    rows.push_back(product_row("lineargelu", {m, k, n, false, false, Epilogue::BiasGelu}));
  return rows;
}

} // namespace bench
