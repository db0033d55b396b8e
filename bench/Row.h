// One row of the benchmark: a piece of work, what it costs at least, and who runs it.
#pragma once

#include "Contender.h"

#include <memory>
#include <string>
#include <vector>

namespace bench {

struct Options {
  int threads = 2;
  std::string only;            // rows whose name contains it
  double seconds = 1;          // of measuring per row and contender, about
  std::string target = "host"; // of Ingot's code; peers are held to its instructions
  std::string json;            // file for the results; empty: none
  bool python = true;          // ask the Python peers too
  std::string python_path;
};

struct Row {
  std::string name;    // also the name the Python peers know it by
  double flops = 0;    // arithmetic it cannot avoid; 0: not counted
  double bytes = 0;    // traffic it cannot avoid
  bool cached = false; // its data stays in a cache from call to call
  /// Makes Ingot's contender and those of libraries linked here. Called when the row is due, so that only one
  /// row's memory is alive.
  std::function<std::vector<Contender>(const Options &)> contenders;
  bool python_peers = true;
};

std::vector<Row> gemm_rows();
std::vector<Row> pointwise_rows();
std::vector<Row> rowwise_rows();
std::vector<Row> model_rows();
std::vector<Row> call_rows();

} // namespace bench
