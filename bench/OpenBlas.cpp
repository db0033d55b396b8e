#include "Libraries.h"
#include "Program.h"

#ifdef INGOT_BENCH_OPENBLAS
#include <cblas.h>

namespace bench {

void add_openblas_product(std::vector<Contender> &list, const Product &p, const Options &options) {
  if (p.epilogue != Epilogue::None)
    return;
  openblas_set_num_threads(options.threads);
  const Memory a(f32({p.m, p.k})), b(f32({p.k, p.n}), 1), c(f32({p.m, p.n}));
  const int m = int(p.m), k = int(p.k), n = int(p.n);
  list.push_back({"openblas", loop([=] {
                    cblas_sgemm(CblasRowMajor, p.transpose_a ? CblasTrans : CblasNoTrans,
                                p.transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1, a.floats(),
                                p.transpose_a ? m : k, b.floats(), p.transpose_b ? k : n, 0, c.floats(), n);
                  }),
                  std::nullopt});
}

} // namespace bench
#else
namespace bench {
void add_openblas_product(std::vector<Contender> &, const Product &, const Options &) {}
} // namespace bench
#endif
