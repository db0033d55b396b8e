// Work over every element, and changes of layout: chain_N, axpy_N, gelu_N, transpose_RxC.
#include "Libraries.h"
#include "Program.h"

namespace bench {

using namespace ingot;

namespace {

template <class F> Row pointwise(const std::string &kind, std::int64_t n, int inputs, double flops, F f) {
  Row row;
  row.name = kind + "_" + std::to_string(n);
  row.flops = flops * double(n);
  row.bytes = 4.0 * double(n) * (inputs + 1);
  row.cached = row.bytes < 8e6;
  row.contenders = [=](const Options &options) {
    std::vector<Contender> list{ingot_contender(f, std::vector<TensorSpec>(std::size_t(inputs), f32({n})), options)};
    if (kind == "gelu")
      add_onednn_rowwise(list, kind, 1, n, options);
    return list;
  };
  return row;
}

} // namespace

std::vector<Row> pointwise_rows() {
  std::vector<Row> rows;
  for (std::int64_t n : {std::int64_t(1) << 16, std::int64_t(1) << 24}) {
    rows.push_back(pointwise("chain", n, 2, 4, [](Tensor x, Tensor y) { return ingot::tanh(x * y + 0.5) * x - y; }));
    rows.push_back(pointwise("axpy", n, 2, 2, [](Tensor x, Tensor y) { return x * 1.5 + y; }));
  }
  for (std::int64_t n : {std::int64_t(1) << 16, std::int64_t(1) << 22})
    rows.push_back(pointwise("gelu", n, 1, 4, [](Tensor x) { return gelu(x); }));
  for (auto [r, c] : {std::pair<std::int64_t, std::int64_t>{256, 256}, {4096, 4096}, {1000, 777}}) {
    Row row;
    row.name = "transpose_" + std::to_string(r) + "x" + std::to_string(c);
    row.bytes = 8.0 * double(r) * double(c);
    row.cached = row.bytes < 8e6;
    row.contenders = [r = r, c = c](const Options &options) {
      return std::vector<Contender>{
          ingot_contender([](Tensor x) { return transpose(x) + 0.0; }, {f32({r, c})}, options)};
    };
    rows.push_back(row);
  }
  return rows;
}

} // namespace bench
