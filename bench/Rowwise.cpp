// Reductions with what goes around them: softmax_RxC, layernorm_RxC, colsum_RxC, biasgrad_RxC, sum_N.
#include "Libraries.h"
#include "Program.h"

namespace bench {

using namespace ingot;

std::vector<Row> rowwise_rows() {
  std::vector<Row> rows;
  auto add = [&](const std::string &kind, std::int64_t r, std::int64_t c, bool vectors, bool keeps, auto f) {
    Row row;
    row.name = kind + "_" + std::to_string(r) + "x" + std::to_string(c);
    row.bytes = 4.0 * double(r) * double(c) * (keeps ? 2 : 1);
    row.cached = row.bytes < 8e6;
    row.contenders = [=](const Options &options) {
      std::vector<TensorSpec> specs{f32({r, c})};
      if (vectors)
        specs.insert(specs.end(), {f32({c}), f32({c})});
      std::vector<Contender> list{ingot_contender(f, specs, options)};
      if (keeps)
        add_onednn_rowwise(list, kind, r, c, options);
      return list;
    };
    rows.push_back(row);
  };
  for (auto [r, c] : {std::pair<std::int64_t, std::int64_t>{256, 1024}, {4096, 512}, {128, 10}})
    add("softmax", r, c, false, true, [](const std::vector<Tensor> &in) { return softmax(in[0], 1); });
  for (auto [r, c] : {std::pair<std::int64_t, std::int64_t>{256, 768}, {4096, 768}})
    add("layernorm", r, c, true, true, [](const std::vector<Tensor> &in) { return layer_norm(in[0], in[1], in[2]); });
  for (auto [r, c] : {std::pair<std::int64_t, std::int64_t>{128, 256}, {4096, 1024}})
    add("colsum", r, c, false, false, [](const std::vector<Tensor> &in) { return sum(in[0], {0}); });
  add("biasgrad", 1'000'000, 4, false, false, [](const std::vector<Tensor> &in) {
    Graph loss = capture([](Tensor b, Tensor x, Tensor g) { return sum((x + b) * g); },
                         {f32({in[0].shape()[1]}), f32(in[0].shape()), f32(in[0].shape())});
    return grad(loss, {0})(Tensor::zeros({in[0].shape()[1]}), in[0], in[0])[0];
  });
  Row whole;
  const std::int64_t n = 1 << 24;
  whole.name = "sum_" + std::to_string(n);
  whole.bytes = 4.0 * double(n);
  whole.contenders = [](const Options &options) {
    return std::vector<Contender>{ingot_contender([](Tensor x) { return sum(x); }, {f32({n})}, options)};
  };
  rows.push_back(whole);
  return rows;
}

} // namespace bench
