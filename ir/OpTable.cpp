#include "ingot/ir/OpTable.h"

#include "ingot/ir/OperandNames.h"

#include "ingot/ir/ReferenceMath.h"

#include <unordered_map>

namespace ingot {

using namespace reference;

#include "ingot-gen/ir/OpTable.cpp.inc"

std::span<const std::string_view> operand_names(OpKind kind) { return kOperandNames[static_cast<size_t>(kind)]; }

const OpInfo &op_info(OpKind kind) { return kOps[static_cast<size_t>(kind)]; }

std::span<const OpInfo> op_table() { return kOps; }

std::optional<OpKind> find_op(std::string_view mnemonic) {
  static const auto *byName = [] {
    auto *map = new std::unordered_map<std::string_view, OpKind>;
    for (size_t i = 0; i < std::size(kOps); ++i)
      map->emplace(kOps[i].name, static_cast<OpKind>(i));
    return map;
  }();
  auto found = byName->find(mnemonic);
  return found == byName->end() ? std::nullopt : std::optional(found->second);
}

bool keeps_type(const OpInfo &info) { return info.shape == infer_elementwise; }

Inference infer(const OpCall &call) {
  const OpInfo &info = op_info(call.kind);
  const size_t given = call.operands.size(), wanted = info.numOperands;
  if (info.has(kVariadic) ? given < wanted : given != wanted)
    return Inference::error(Inference::Fault::Value, "takes " + std::to_string(wanted) +
                                                         (info.has(kVariadic) ? " or more" : "") + " operands, not " +
                                                         std::to_string(given));
  INGOT_CHECK(call.attributes.size() == info.attributes.size(), "every attribute of the record is given");
  return info.shape(call);
}

} // namespace ingot
