// Elementwise ops: one record is the whole op. Operands and result share one shape.
#ifndef INGOT_ELEMENTWISE_TD
#define INGOT_ELEMENTWISE_TD

include "ingot/ir/Dialect.td"

/// `reference`: C++ over x (or a, b, c) of the element type T, giving the result element; the definition of the op.
/// `emission`: C++ over `e` (ir/emit/ScalarOps.h) and mlir::Value x (or a, b, c), scalars or vectors of elements.
/// `partials`: for each operand the partial derivative as C++ over gradient expressions x (a, b, c) and the result y;
/// "none" where no gradient flows; whole(e) gives the operand's cotangent itself. Every op with a function of its name is
/// at hand: tanh(x). `dtypes`: float | number | integer | bool | discrete (integer, bool) | any.
/// `function`: what users call the op by, `ingot::tanh`; "" where the function is written by hand or there is none.
class Ingot_Elementwise<string mnemonic, string operandDtypes, list<string> names, list<Trait> traits = []>
    : Ingot_Op<mnemonic, traits # [Pure, DeclareOpInterfaceMethods<Ingot_PointwiseOpInterface>]> {
  let tableElementwise = 1;
  let tableMemoryBound = 1;
  let tableShapeRule = "infer_elementwise";
  string dtypes = operandDtypes;
  string resultDtype = "same"; // same | bool
  string function = mnemonic;
  list<string> operandNames = names;
  string emission = "";
  list<string> partials = [];
  let results = (outs Ingot_Tensor:$y);
  string readOperands = !interleave(!foreach(i, !range(!size(names)),
      "[[maybe_unused]] ::mlir::Value " # names[i] # " = reader.read(getOperation()->getOperand(" # i # "), at);"), "\n  ");
  string wrapOperands = !interleave(!foreach(i, !range(!size(names)),
      "[[maybe_unused]] ::ingot::GradientValue " # names[i] # " = gradient(getOperation()->getOperand(" # i # "));"), "\n  ");
  string pushPartials = !interleave(!foreach(p, partials, "gradient.push(operandCotangents, " # p # ");"), "\n  ");
  let extraClassDefinition = [{
::mlir::Value $cppClass::emitAt(::ingot::ElementReader &reader, const ::ingot::Coordinates &at) {
  [[maybe_unused]] ::ingot::emit::ScalarOps e(reader.builder(), reader.loc());
  }] # readOperands # [{
  return }] # emission # [{;
}
::llvm::LogicalResult $cppClass::vjp(::mlir::OpBuilder &builder, ::mlir::ValueRange cotangents,
                                    ::llvm::SmallVectorImpl<::mlir::Value> &operandCotangents) {
  using namespace ::ingot::gradient;
  ::ingot::GradientBuilder gradient(builder, getOperation(), cotangents[0]);
  [[maybe_unused]] ::ingot::GradientValue y = gradient(getOperation()->getResult(0));
  }] # wrapOperands # "\n  " # pushPartials # [{
  return ::mlir::success();
}
}] # kindDefinition;
}

class Ingot_Unary<string mnemonic, string dtypes, list<Trait> traits = []>
    : Ingot_Elementwise<mnemonic, dtypes, ["x"], traits> {
  let arguments = (ins Ingot_Tensor:$x);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}
class Ingot_Binary<string mnemonic, string dtypes, list<Trait> traits = []>
    : Ingot_Elementwise<mnemonic, dtypes, ["a", "b"], traits # [AllTypesMatch<["a", "b"]>]> {
  let arguments = (ins Ingot_Tensor:$a, Ingot_Tensor:$b);
  let assemblyFormat = "$a `,` $b attr-dict `:` type($a)";
}
class Ingot_Compare<string mnemonic, string operator, list<Trait> traits = []> : Ingot_Binary<mnemonic, "any", traits> {
  let resultDtype = "bool";
  let partials = ["none", "none"];
  let reference = "a " # operator # " b";
  let emission = "e." # mnemonic # "(a, b)";
}

// Arithmetic -------------------------------------------------------------------------------------------------------

def Ingot_AddOp : Ingot_Binary<"add", "number", [Commutative]> {
  let summary = "a + b";
  let description = [{Integers wrap.}];
  let reference = "wrap_add(a, b)";
  let emission = "e.add(a, b)";
  let partials = ["1.0", "1.0"];
}
def Ingot_SubOp : Ingot_Binary<"sub", "number"> {
  let summary = "a - b";
  let description = [{Integers wrap.}];
  let reference = "wrap_sub(a, b)";
  let emission = "e.sub(a, b)";
  let partials = ["1.0", "-1.0"];
}
def Ingot_MulOp : Ingot_Binary<"mul", "number", [Commutative]> {
  let summary = "a * b";
  let description = [{Integers wrap.}];
  let reference = "wrap_mul(a, b)";
  let emission = "e.mul(a, b)";
  let partials = ["b", "a"];
}
def Ingot_DivOp : Ingot_Binary<"div", "number"> {
  let summary = "a / b";
  let description = [{Integers truncate; x / 0 is all ones and MIN / -1 is MIN. Nothing traps.}];
  let tableExpensive = 1;
  let reference = "total_div(a, b)";
  let emission = "e.div(a, b)";
  let partials = ["1.0 / b", "-(y / b)"];
}
def Ingot_RemOp : Ingot_Binary<"rem", "number"> {
  let summary = "a - b * trunc(a / b), exact";
  let function = "";
  let description = [{C's fmod; has the sign of a. Integers: x % 0 is x and MIN % -1 is 0.}];
  let tableExpensive = 1;
  let reference = "total_rem(a, b)";
  let emission = "e.rem(a, b)";
  let partials = ["1.0", "-round((a - y) / b)"];
}
def Ingot_FmaOp : Ingot_Elementwise<"fma", "float", ["a", "b", "c"], [AllTypesMatch<["a", "b", "c"]>]> {
  let summary = "a * b + c with one rounding";
  let function = "";
  let arguments = (ins Ingot_Tensor:$a, Ingot_Tensor:$b, Ingot_Tensor:$c);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($a)";
  let reference = "std::fma(a, b, c)";
  let emission = "e.fma(a, b, c)";
  let partials = ["b", "a", "1.0"];
}
def Ingot_MaxOp : Ingot_Binary<"max", "number", [Commutative]> {
  let summary = "the larger of a and b";
  let function = "maximum";
  let description = [{NaN wins; -0 is less than +0. Where both are equal the gradient is split evenly.}];
  let reference = "nan_max(a, b)";
  let emission = "e.max(a, b)";
  let partials = ["select(gt(a, b), 1.0, select(eq(a, b), 0.5, 0.0))", "select(gt(b, a), 1.0, select(eq(a, b), 0.5, 0.0))"];
}
def Ingot_MinOp : Ingot_Binary<"min", "number", [Commutative]> {
  let summary = "the smaller of a and b";
  let function = "minimum";
  let description = [{NaN wins; -0 is less than +0. Where both are equal the gradient is split evenly.}];
  let reference = "nan_min(a, b)";
  let emission = "e.min(a, b)";
  let partials = ["select(lt(a, b), 1.0, select(eq(a, b), 0.5, 0.0))", "select(lt(b, a), 1.0, select(eq(a, b), 0.5, 0.0))"];
}
def Ingot_PowOp : Ingot_Binary<"pow", "float"> {
  let summary = "a to the power b";
  let description = [{Special values as C99's pow. The gradient with respect to b is 0 where a is 0.}];
  let tableExpensive = 1;
  let reference = "via_double(a, b, [](double u, double v) { return std::pow(u, v); })";
  let emission = "e.pow(a, b)";
  // Of a base of 0 exponents stop at 0, where the factor is 0, so that no derivative of any order meets 0 times infinity.
  let partials = ["b * pow(a, select(eq(b, 0.0), select(eq(a, 0.0), 0.0, b - 1.0), b - 1.0))",
                  "select(eq(a, 0.0), 0.0, y * log(select(eq(a, 0.0), 1.0, a)))"];
}
def Ingot_NegOp : Ingot_Unary<"neg", "number"> {
  let summary = "-x";
  let reference = "wrap_neg(x)";
  let emission = "e.neg(x)";
  let partials = ["-1.0"];
}
def Ingot_AbsOp : Ingot_Unary<"abs", "number"> {
  let summary = "|x|";
  let description = [{The gradient at 0 is 0.}];
  let reference = "absolute(x)";
  let emission = "e.abs(x)";
  let partials = ["sign(x)"];
}
def Ingot_SignOp : Ingot_Unary<"sign", "number"> {
  let summary = "-1, 0 or 1; NaN stays";
  let reference = "x != x ? x : T(x > T(0)) - T(x < T(0))";
  let emission = "e.sign(x)";
  let partials = ["none"];
}

// Functions --------------------------------------------------------------------------------------------------------

class Ingot_Function<string mnemonic, string formula> : Ingot_Unary<mnemonic, "float"> {
  let tableExpensive = 1;
  let reference = "via_double(x, [](double u) { return " # formula # "; })";
  let emission = "e." # mnemonic # "(x)";
}
def Ingot_ExpOp : Ingot_Function<"exp", "std::exp(u)"> {
  let summary = "e to the power x";
  let partials = ["y"];
}
def Ingot_Expm1Op : Ingot_Function<"expm1", "std::expm1(u)"> {
  let summary = "exp(x) - 1 without cancellation";
  let partials = ["y + 1.0"];
}
def Ingot_LogOp : Ingot_Function<"log", "std::log(u)"> {
  let summary = "natural logarithm";
  let partials = ["1.0 / x"];
}
def Ingot_Log1pOp : Ingot_Function<"log1p", "std::log1p(u)"> {
  let summary = "log(1 + x) without cancellation";
  let partials = ["1.0 / (x + 1.0)"];
}
def Ingot_SqrtOp : Ingot_Unary<"sqrt", "float"> {
  let summary = "square root, rounded correctly";
  let tableExpensive = 1;
  let reference = "std::sqrt(x)";
  let emission = "e.sqrt(x)";
  let partials = ["0.5 / y"];
}
def Ingot_RsqrtOp : Ingot_Function<"rsqrt", "1.0 / std::sqrt(u)"> {
  let summary = "1 / sqrt(x)";
  let partials = ["-0.5 * y / x"];
}
def Ingot_TanhOp : Ingot_Function<"tanh", "std::tanh(u)"> {
  let summary = "hyperbolic tangent";
  let partials = ["1.0 - y * y"];
}
def Ingot_LogisticOp : Ingot_Function<"logistic", "1.0 / (1.0 + std::exp(-u))"> {
  let summary = "1 / (1 + exp(-x))";
  let function = "sigmoid";
  let partials = ["y * (1.0 - y)"];
}
def Ingot_ErfOp : Ingot_Function<"erf", "std::erf(u)"> {
  let summary = "error function";
  let partials = ["1.1283791670955125738961589 * exp(-(x * x))"]; // 2 / sqrt(pi)
}
def Ingot_SinOp : Ingot_Function<"sin", "std::sin(u)"> {
  let summary = "sine of x radians";
  let partials = ["cos(x)"];
}
def Ingot_CosOp : Ingot_Function<"cos", "std::cos(u)"> {
  let summary = "cosine of x radians";
  let partials = ["-sin(x)"];
}
class Ingot_Rounding<string mnemonic, string rounding> : Ingot_Unary<mnemonic, "float"> {
  let reference = rounding # "(x)";
  let emission = "e." # mnemonic # "(x)";
  let partials = ["none"];
}
def Ingot_FloorOp : Ingot_Rounding<"floor", "std::floor"> { let summary = "largest integer not above x"; }
def Ingot_CeilOp : Ingot_Rounding<"ceil", "std::ceil"> { let summary = "smallest integer not below x"; }
def Ingot_RoundOp : Ingot_Rounding<"round", "std::nearbyint"> { let summary = "nearest integer, halves to even"; }
def Ingot_TruncOp : Ingot_Rounding<"trunc", "std::trunc"> { let summary = "x without its fraction"; }

// Comparison, logic, choice ----------------------------------------------------------------------------------------

def Ingot_EqOp : Ingot_Compare<"eq", "==", [Commutative]> { let summary = "a == b; NaN equals nothing"; }
def Ingot_NeOp : Ingot_Compare<"ne", "!=", [Commutative]> { let summary = "a != b; NaN differs from everything"; }
def Ingot_LtOp : Ingot_Compare<"lt", "<"> { let summary = "a < b"; }
def Ingot_LeOp : Ingot_Compare<"le", "<="> { let summary = "a <= b"; }
def Ingot_GtOp : Ingot_Compare<"gt", ">"> { let summary = "a > b"; }
def Ingot_GeOp : Ingot_Compare<"ge", ">="> { let summary = "a >= b"; }

def Ingot_AndOp : Ingot_Binary<"and", "discrete", [Commutative]> {
  let summary = "logical and of bools, bitwise and of integers";
  let function = "";
  let reference = "T(a & b)";
  let emission = "e.bitAnd(a, b)";
  let partials = ["none", "none"];
}
def Ingot_OrOp : Ingot_Binary<"or", "discrete", [Commutative]> {
  let summary = "logical or of bools, bitwise or of integers";
  let function = "";
  let reference = "T(a | b)";
  let emission = "e.bitOr(a, b)";
  let partials = ["none", "none"];
}
def Ingot_XorOp : Ingot_Binary<"xor", "discrete", [Commutative]> {
  let summary = "exclusive or";
  let function = "";
  let reference = "T(a ^ b)";
  let emission = "e.bitXor(a, b)";
  let partials = ["none", "none"];
}
def Ingot_NotOp : Ingot_Unary<"not", "discrete"> {
  let summary = "logical not of bools, bitwise complement of integers";
  let function = "";
  let reference = "complement(x)";
  let emission = "e.bitNot(x)";
  let partials = ["none"];
}
def Ingot_SelectOp : Ingot_Elementwise<"select", "any", ["c", "a", "b"], [AllTypesMatch<["a", "b"]>]> {
  let summary = "a where c holds, else b";
  let function = "";
  let arguments = (ins Ingot_Tensor:$c, Ingot_Tensor:$a, Ingot_Tensor:$b);
  let assemblyFormat = "$c `,` $a `,` $b attr-dict `:` type($c) `,` type($a)";
  let tableShapeRule = "infer_select";
  let reference = ""; // operands differ in dtype: reference_select
  let emission = "e.select(c, a, b)";
  let partials = ["none", "whole(select(c, gradient.incoming(), 0.0))", "whole(select(c, 0.0, gradient.incoming()))"];
}
def Ingot_ConvertOp : Ingot_Elementwise<"convert", "any", ["x"]> {
  let summary = "x in another dtype";
  let function = "";
  let description = [{Float to integer truncates and saturates, NaN gives 0; to bool is "differs from zero".}];
  let tableMemoryBound = 0;
  let arguments = (ins Ingot_Tensor:$x, TypeAttr:$dtype);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
  let tableShapeRule = "infer_convert";
  let reference = "";
  let emission = "e.convert(x, ::llvm::cast<::mlir::ShapedType>(getOperation()->getResult(0).getType()).getElementType())";
  let partials = ["1.0"];
}
def Ingot_StopGradientOp : Ingot_Unary<"stop_gradient", "any"> {
  let summary = "x, as a constant for differentiation";
  let reference = "x";
  let emission = "x";
  let partials = ["none"];
}
def Ingot_SavedOp : Ingot_Binary<"saved", "any"> {
  let summary = "b, known to be the value of a";
  let function = "";
  let description = [{What a backward reads of a forward that ran before: the value comes from memory, derivatives go on to the
computation a, which nothing else needs. a and b must be equal; passes may use either, and use b.}];
  let reference = "b";
  let emission = "b";
  let partials = ["1.0", "none"];
}
def Ingot_LogaddexpOp : Ingot_Binary<"logaddexp", "float", [Commutative]> {
  let summary = "log(exp(a) + exp(b)) without overflow";
  let description = [{The derivative is one logistic where that of a composition is 0 / 0 or loses its own derivative at a = b. Where both are
inf it is split evenly, where both are -inf it is 0.}];
  let tableExpensive = 1;
  let reference = "via_double(a, b, [](double u, double v) { return u == v ? u + std::log(2.0) : std::fmax(u, v) + std::log1p(std::exp(-std::fabs(u - v))); })";
  let emission = "e.select(e.eq(a, b), e.add(a, e.constant(0.69314718055994530942, a.getType())), e.add(e.max(a, b), e.log1p(e.exp(e.neg(e.abs(e.sub(a, b)))))))";
  let partials = ["logistic(select(eq(a - b, a - b), a - b, min(max(a, b), 0.0)))",
                  "logistic(select(eq(b - a, b - a), b - a, min(max(a, b), 0.0)))"];
}
#endif
