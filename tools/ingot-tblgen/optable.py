"""Makes the MLIR-free op table from the dialect's records.

usage: optable.py RECORDS.json OUTPUT-DIR
RECORDS.json is llvm-tblgen --dump-json of ir/AllOps.td. Writes OpKinds.h.inc, OpAttributes.h.inc, OpTable.cpp.inc
and ops.md.
"""
import json
import pathlib
import sys

KINDS = {"I64Attr": "Int", "F64Attr": "Float", "DenseI64ArrayAttr": "Ints", "TypeAttr": "Type", "StrAttr": "String",
         "ElementsAttr": "Literal"}
# Element types that ops compute with; the others exist as types only.
DTYPES = {"float": ["F32", "F64"], "integer": ["I32", "I64"], "bool": ["Bool"]}
DTYPES["number"] = DTYPES["float"] + DTYPES["integer"]
DTYPES["discrete"] = DTYPES["integer"] + DTYPES["bool"]
DTYPES["any"] = DTYPES["number"] + DTYPES["bool"]
CPP = {"F32": "float", "F64": "double", "I32": "int32_t", "I64": "int64_t", "Bool": "bool"}


class Op:
    def __init__(self, record):
        self.kind, self.name, self.record = record["tableKind"], record["opName"], record
        self.operands, self.attributes, self.variadic = [], [], False
        for argument, name in record["arguments"]["args"]:
            if argument["def"] in KINDS:
                self.attributes.append((name, KINDS[argument["def"]]))
            else:
                self.operands.append(name)
                self.variadic |= argument["def"] != "Ingot_Tensor"
        self.results = len(record["results"]["args"])
        self.region = bool(record["regions"]["args"])
        self.elementwise = bool(record["tableElementwise"])

    def dtypes(self):
        return DTYPES[self.record["dtypes"]] if self.elementwise else []

    def flags(self):
        flags = {"kElementwise": self.elementwise, "kVariadic": self.variadic, "kHasRegion": self.region}
        flags["kBoolResult"] = self.elementwise and self.record["resultDtype"] == "bool"
        flags["kCommutative"] = any(t["def"] == "Commutative" for t in self.record["traits"])
        for flag in ("Movement", "Differentiable", "Random", "Expensive", "Internal"):
            flags["k" + flag] = bool(self.record["table" + flag])
        return " | ".join(name for name, on in flags.items() if on) or "0"

    def reference(self):
        return None if self.region else "reference_" + self.name

    def min_operands(self):
        return len(self.operands) - (1 if self.variadic else 0)


def kinds(ops):
    return "".join(f"INGOT_OP_KIND({op.kind})\n" for op in ops)


def attribute_numbers(ops):
    text = "// Where each attribute of an op stands: attr::Slice::starts.\nnamespace ingot::attr {\n"
    for op in ops:
        if op.attributes:
            names = ", ".join(name for name, _ in op.attributes)
            text += f"namespace {op.kind} {{\nenum : unsigned {{ {names} }};\n}}\n"
    return text + "} // namespace ingot::attr\n"


def elementwise_kernel(op):
    """The reference kernel of an elementwise op: its formula for every element."""
    names = op.record["operandNames"]
    result = "bool" if op.record["resultDtype"] == "bool" else "T"
    lines = [f"KernelFault reference_{op.name}(const OpCall &call, std::span<const ConstView> in, "
             "std::span<const MutableView> out) {",
             "  const int64_t n = out[0].type.shape.num_elements();",
             "  auto run = [&]<class T>() {",
             f"    {result} *result = out[0].as<{result}>();"]
    lines += [f"    const T *p{i} = in[{i}].as<T>();" for i in range(len(names))]
    lines += ["    for (int64_t i = 0; i < n; ++i) {"]
    lines += [f"      const T {name} = p{i}[i];" for i, name in enumerate(names)]
    lines += [f"      result[i] = {result}({op.record['reference']});", "    }", "  };",
              "  switch (call.operands[0].dtype) {"]
    lines += [f"  case DType::{d}:\n    run.template operator()<{CPP[d]}>();\n    break;" for d in op.dtypes()]
    lines += ["  default:\n    refuse_dtype(call);", "  }", "  return {};", "}", ""]
    return "\n".join(lines)


def table(ops):
    text = ""
    for rule in sorted({op.record["tableShapeRule"] for op in ops}):
        text += f"Inference {rule}(const OpCall &);\n"
    for op in ops:
        if op.reference() and not op.record["reference"]:
            text += (f"KernelFault {op.reference()}(const OpCall &, std::span<const ConstView>, "
                     "std::span<const MutableView>);\n")
    text += "namespace {\n\n"
    for op in ops:
        if op.record["reference"]:
            text += elementwise_kernel(op) + "\n"
    for op in ops:
        if op.attributes:
            rows = ", ".join(f'{{"{name}", AttrKind::{kind}}}' for name, kind in op.attributes)
            text += f"constexpr AttrInfo attributes_{op.name}[] = {{{rows}}};\n"
    text += "\nconstexpr OpInfo kOps[] = {\n"
    for op in ops:
        attributes = f"attributes_{op.name}" if op.attributes else "{}"
        mask = " | ".join(f"dtype_bit(DType::{d})" for d in op.dtypes()) or "0"
        text += (f'    {{"{op.name}", {op.min_operands()}, {op.results}, {op.flags()}, {attributes}, '
                 f"{op.record['tableShapeRule']}, {op.reference() or 'nullptr'}, {mask}}},\n")
    return text + "};\n\n} // namespace\n"


def page(ops, families):
    text = "# Ops\n\nGenerated from the records in `ir/ops`.\n\n"
    for family, names in families:
        text += f"## {family}\n\n| op | what it is | dtypes | derivative |\n|---|---|---|---|\n"
        for op in ops:
            if op.name in names:
                dtypes = op.record["dtypes"] if op.elementwise else ""
                derivative = "yes" if op.record["tableDifferentiable"] else "none"
                summary = op.record["summary"].replace("|", "\\|")
                text += f"| `{op.name}` | {summary} | {dtypes} | {derivative} |\n"
        text += "\n"
    return text


def main():
    records = json.loads(pathlib.Path(sys.argv[1]).read_text())
    out = pathlib.Path(sys.argv[2])
    ops = [Op(records[name]) for name in records["!instanceof"]["Ingot_Op"]]
    ops.sort(key=lambda op: op.kind)
    seen = {}
    for op in ops:
        family = pathlib.Path(op.record["!locs"][-1].split(":")[0]).stem.lower()
        seen.setdefault(family, set()).add(op.name)
    for name, text in {"OpKinds.h.inc": kinds(ops), "OpAttributes.h.inc": attribute_numbers(ops),
                       "OpTable.cpp.inc": table(ops), "ops.md": page(ops, sorted(seen.items()))}.items():
        (out / name).write_text(text)


if __name__ == "__main__":
    main()
