"""Makes the MLIR-free op table from the dialect's records.

usage: optable.py RECORDS.json OUTPUT-DIR
RECORDS.json is llvm-tblgen --dump-json of ir/AllOps.td. Writes OpKinds.h.inc, OpAttributes.h.inc, OpTable.cpp.inc; for
elementwise ops also the functions that users call (OpFunctions.*) and those that derivatives are written with
(GradientFunctions.*).
"""
import json
import pathlib
import sys

KINDS = {"I64Attr": "Int", "F64Attr": "Float", "DenseI64ArrayAttr": "Ints", "TypeAttr": "Type", "StrAttr": "String",
         "ElementsAttr": "Literal", "Ingot_NativeOpAttr": "Native"}
# Element types that ops compute with; the others exist as types only.
DTYPES = {"float": ["F32", "F64"], "integer": ["I32", "I64"], "bool": ["Bool"]}
DTYPES["number"] = DTYPES["float"] + DTYPES["integer"]
DTYPES["discrete"] = DTYPES["integer"] + DTYPES["bool"]
DTYPES["any"] = DTYPES["number"] + DTYPES["bool"]
CPP = {"F32": "float", "F64": "double", "I32": "int32_t", "I64": "int64_t", "Bool": "bool"}


# Mnemonics that are no names in C++.
KEYWORDS = {"and", "or", "xor", "not"}


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
        self.region = bool(record["regions"]["args"]) and not record["tableNative"]
        self.elementwise = bool(record["tableElementwise"])

    def dtypes(self):
        return DTYPES[self.record["dtypes"]] if self.elementwise else []

    def flags(self):
        flags = {"kElementwise": self.elementwise, "kVariadic": self.variadic, "kHasRegion": self.region}
        flags["kBoolResult"] = self.elementwise and self.record["resultDtype"] == "bool"
        flags["kCommutative"] = any(t["def"] == "Commutative" for t in self.record["traits"])
        for flag in ("Movement", "Differentiable", "Random", "Expensive", "MemoryBound", "MayFail", "Internal", "Native"):
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
    lines += [f"      [[maybe_unused]] const T {name} = p{i}[i];" for i, name in enumerate(names)]
    lines += [f"      result[i] = {result}({op.record['reference']});", "    }", "  };",
              "  switch (call.operands[0].dtype) {"]
    lines += [f"  case DType::{d}:\n    run.template operator()<{CPP[d]}>();\n    break;" for d in op.dtypes()]
    lines += ["  default:\n    refuse_dtype(call);", "  }", "  return {};", "}", ""]
    return "\n".join(lines)


def function(op, definition):
    """What users call an elementwise op by: tensors, or for more than one operand also C++ scalars."""
    names, name = op.record["operandNames"], op.record["function"]
    kind = "Tensor" if len(names) == 1 else "Operand"
    arguments = ", ".join(f"{kind} {operand}" for operand in names)
    if not definition:
        text = f"/// {op.record['summary']}\n"
        if op.record["description"]:
            text += "".join(f"/// {line.strip()}\n" for line in op.record["description"].strip().split("\n"))
        return text + f"Tensor {name}({arguments}, Location at = Location::current());\n"
    if len(names) == 1:
        body = f'  return unary(OpKind::{op.kind}, std::move({names[0]}), at, "{name}");\n'
    else:
        addresses = ", ".join(f"&{operand}" for operand in names)
        body = f'  return elementwise(OpKind::{op.kind}, {{{addresses}}}, at, "{name}");\n'
    return f"Tensor {name}({arguments}, Location at) {{\n{body}}}\n"


def functions(ops, definition):
    return "".join(function(op, definition) for op in ops if op.elementwise and op.record["function"])


def gradient_functions(ops, definition):
    """Ops as functions of gradient expressions; those of three operands or with attributes are written by hand."""
    text = ""
    for op in ops:
        count = len(op.operands)
        if op.elementwise and not op.attributes and count < 3 and op.name not in KEYWORDS:
            arguments = ", ".join(f"const GradientValue &{name}" for name in op.operands)
            text += f"GradientValue {op.name}({arguments})"
            helper = "unary" if count == 1 else "binary"
            text += f" {{ return {helper}<{op.kind}Op>({', '.join(op.operands)}); }}\n" if definition else ";\n"
    return text


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
    text += "};\n\n"
    for op in ops:
        names = ", ".join(f'"{name}"' for name in op.operands[:op.min_operands()])
        if names:
            text += f"constexpr std::string_view operands_{op.name}[] = {{{names}}};\n"
    text += "\nconstexpr std::span<const std::string_view> kOperandNames[] = {\n"
    text += "".join(f"    {f'operands_{op.name}' if op.min_operands() else '{}'},\n" for op in ops)
    return text + "};\n\n} // namespace\n"


def table_of(records):
    """The ops of the dialect in the order of their kinds, from the records' JSON form."""
    return sorted((Op(records[name]) for name in records["!instanceof"]["Ingot_Op"]), key=lambda op: op.kind)


def main():
    ops, out = table_of(json.loads(pathlib.Path(sys.argv[1]).read_text())), pathlib.Path(sys.argv[2])
    for name, text in {"OpKinds.h.inc": kinds(ops), "OpAttributes.h.inc": attribute_numbers(ops),
                       "OpTable.cpp.inc": table(ops), "OpFunctions.h.inc": functions(ops, False),
                       "OpFunctions.cpp.inc": functions(ops, True),
                       "GradientFunctions.h.inc": gradient_functions(ops, False),
                       "GradientFunctions.cpp.inc": gradient_functions(ops, True)}.items():
        (out / name).write_text(text)


if __name__ == "__main__":
    main()
