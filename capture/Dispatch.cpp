#include "ingot/capture/Dispatch.h"

#include "ingot/capture/Autodiff.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace ingot::dispatch {
namespace {

// A row's pattern is one set per axis; the first row that matches decides. Every table is total over what can be built:
// a concrete backend has one device.
using Set = std::uint16_t;
constexpr Set kAny = 0xFFFF;
template <class E> constexpr Set set(E value) { return static_cast<Set>(1u << static_cast<unsigned>(value)); }
template <class E, class... R> constexpr Set set(E value, R... more) {
  return static_cast<Set>(set(value) | set(more...));
}

enum class Wrap : std::uint8_t { Bare, Boxed, Nested };
enum class On : std::uint8_t { Disabled, Enabled };
enum class Where : std::uint8_t { SamePlace, SameBackend, OtherBackend };

constexpr Set kBare = set(Wrap::Bare), kBoxed = set(Wrap::Boxed), kNested = set(Wrap::Nested);
constexpr Set kOff = set(On::Disabled), kOn = set(On::Enabled);
constexpr Set kFloat = set(Class::Float), kLifted = set(Class::Autodiff);
constexpr Set kDiscrete = set(Class::Int, Class::Bool, Class::Quantized);
constexpr Set kCapture = set(Backend::Capture), kConcrete = static_cast<Set>(kAny & ~kCapture);
constexpr Set kNo = 1, kYes = 2;

Set wraps(std::uint8_t boxes) { return boxes > 1 ? kNested : boxes ? kBoxed : kBare; }
Set on(const Context &context) { return context ? kOn : kOff; }
Set flag(bool value) { return value ? kYes : kNo; }
bool is_float(Class payload) { return set(payload) & (kFloat | kLifted); }

/// Why a row refuses; `{name}` in the text stands for what the caller states.
struct Refusal {
  ErrorCode family;
  const char *text;
};
using Names = std::initializer_list<std::pair<std::string_view, std::string_view>>;

[[noreturn]] void refuse(const Refusal &refusal, const CallSite &site, Names names = {}) {
  std::string text = refusal.text;
  for (const auto &[name, value] : names) {
    const std::string hole = "{" + std::string(name) + "}";
    if (const std::size_t at = text.find(hole); at != std::string::npos)
      text.replace(at, hole.size(), value);
  }
  throw_error(refusal.family, text, site);
}

constexpr Refusal kNestedTensor{ErrorCode::Dispatch, "Autodiff should not wrap an autodiff tensor."};
constexpr Refusal kNestedDevice{ErrorCode::Dispatch, "Autodiff should not wrap an autodiff device."};
constexpr Refusal kOnlyFloats{ErrorCode::Dispatch, "only float tensors may use an autodiff primitive"};
constexpr Refusal kReachedConcrete{ErrorCode::Dispatch, "autodiff float input reached concrete dispatch"};
constexpr Refusal kNeedsBox{ErrorCode::Dispatch, "an enabled float tensor must use an autodiff primitive"};
constexpr Refusal kNeedsContext{ErrorCode::Dispatch,
                                "an autodiff float primitive must have an enabled autodiff context"};
constexpr Refusal kStrategies{ErrorCode::Dispatch, "Gradient checkpointing strategy mismatch: {lhs} vs {rhs}. Tensors "
                                                   "in the same operation must share a strategy."};
constexpr Refusal kNoInput{ErrorCode::Dispatch,
                           "dispatched operation received no tensor input to select a backend from"};
constexpr Refusal kTwoBackends{ErrorCode::Dispatch,
                               "The provided tensors are not on the same backend. Got backends {lhs} and {rhs}."};
constexpr Refusal kWrongBackend{ErrorCode::Dispatch, "input tensor `{name}` is on the wrong backend"};
constexpr Refusal kNotMarked{ErrorCode::Dispatch, "Operation not marked for autodiff."};
constexpr Refusal kAcrossAutodiff{ErrorCode::Dispatch, "Cannot move between autodiff and non-autodiff instances."};
constexpr Refusal kAutodiffStays{ErrorCode::Dispatch, "Autodiff tensor cannot be moved between backends."};
constexpr Refusal kCaptureStays{ErrorCode::Dispatch, "Cannot move a tensor from a capture device"};
constexpr Refusal kNoValue{ErrorCode::Capture, "capture tensor {id} has no initialized value"};
constexpr Refusal kRequiresAutodiff{ErrorCode::Gradient, "Requires autodiff tensor."};
constexpr Refusal kNoCapture{ErrorCode::Gradient, "Capture tensors do not support autodiff"};
constexpr Refusal kAlreadyInner{ErrorCode::Gradient, "tensor is already on the inner backend"};
constexpr Refusal kAlreadyAutodiff{ErrorCode::Gradient, "tensor is already associated with autodiff"};
constexpr Refusal kInnerGradients{ErrorCode::Gradient, "replacement gradients must use the inner backend"};

// States: nesting first, then the payload's class, then the context.
struct StateRow {
  Set wrap, payload, context;
  const Refusal *refusal;
};
constexpr StateRow kStates[] = {
    {kNested, kAny, kAny, &kNestedTensor},     {kBoxed, static_cast<Set>(kFloat | kDiscrete), kAny, &kOnlyFloats},
    {kBare, kLifted, kAny, &kReachedConcrete}, {kBare, kFloat, kOn, &kNeedsBox},
    {kBoxed, kLifted, kOff, &kNeedsContext},   {kBare, kFloat, kOff, nullptr},
    {kBoxed, kLifted, kOn, nullptr},           {kBare, kDiscrete, kAny, nullptr},
};

struct MergeRow {
  Set left, right, same;
  const Refusal *refusal;
  bool takesRight;
};
constexpr MergeRow kMerge[] = {
    {kOff, kAny, kAny, nullptr, true},
    {kOn, kOff, kAny, nullptr, false},
    {kOn, kOn, kYes, nullptr, false},
    {kOn, kOn, kNo, &kStrategies, false},
};

// Which argument picks the backend: the first that one of these finds.
struct SearchRow {
  Set form, payload;
};
constexpr SearchRow kSearch[] = {
    {set(Form::Required), kAny},
    {kAny, static_cast<Set>(kFloat | kLifted)},
    {kAny, kAny},
};

struct RouteRow {
  Set context, floats;
  Route route;
};
constexpr RouteRow kRoutes[] = {
    {kOff, kAny, Route::Concrete},
    {kOn, kYes, Route::Autodiff},
    {kOn, kNo, Route::ConcreteThenLift},
};

struct PackingRow {
  Set context, payload;
  bool boxed;
};
constexpr PackingRow kPacking[] = {
    {kOff, kAny, false},
    {kOn, kFloat, true},
    {kOn, kAny, false},
};

enum class Keeps : std::uint8_t { Own, Targets, None }; // which context the moved tensor has
struct MoveRow {
  Set payload, wrap, context, from; // of the tensor
  Set wrappers, to;                 // of the target: Wrap and Backend
  Set where, initialized;
  const Refusal *refusal;
  Step step;
  Keeps keeps;
};
constexpr Set kHere = set(Where::SamePlace), kNear = set(Where::SameBackend), kFar = set(Where::OtherBackend);
constexpr Set kElsewhere = static_cast<Set>(kNear | kFar);
constexpr MoveRow kMoves[] = {
    {kAny, kAny, kAny, kAny, kNested, kAny, kAny, kAny, &kNestedDevice, {}, {}},
    {kDiscrete, kBoxed, kAny, kAny, kAny, kAny, kAny, kAny, &kNotMarked, {}, {}},
    // A float of the autodiff layer stays on it, and on its backend.
    {kLifted, kBoxed, kOn, kAny, kBare, kAny, kAny, kAny, &kAcrossAutodiff, {}, {}},
    {kLifted, kBoxed, kOn, kAny, kBoxed, kAny, kFar, kAny, &kAutodiffStays, {}, {}},
    {kLifted, kBoxed, kOn, kAny, kBoxed, kAny, kHere, kAny, nullptr, Step::Same, Keeps::Own},
    {kLifted, kBoxed, kOn, kCapture, kBoxed, kCapture, kNear, kYes, nullptr, Step::Adopt, Keeps::Own},
    // Captured tensors stay captured; they move with their value.
    {kDiscrete, kBare, kAny, kAny, kBoxed, kCapture, kAny, kAny, &kNestedDevice, {}, {}},
    {kAny, kAny, kAny, kCapture, kAny, kConcrete, kAny, kAny, &kCaptureStays, {}, {}},
    {kAny, kAny, kAny, kCapture, kAny, kCapture, kHere, kAny, nullptr, Step::Same, Keeps::Own},
    {kAny, kAny, kAny, kCapture, kAny, kCapture, kNear, kYes, nullptr, Step::Adopt, Keeps::None},
    {kAny, kAny, kAny, kCapture, kAny, kCapture, kNear, kNo, &kNoValue, {}, {}},
    {kAny, kBare, kAny, kConcrete, kAny, kCapture, kAny, kAny, nullptr, Step::Create, Keeps::None},
    // Between concrete backends: discrete tensors take or keep an association, plain floats stay plain.
    {kDiscrete, kBare, kAny, kConcrete, kBoxed, kConcrete, kHere, kAny, nullptr, Step::Same, Keeps::Targets},
    {kDiscrete, kBare, kAny, kConcrete, kBoxed, kConcrete, kElsewhere, kAny, nullptr, Step::Create, Keeps::Targets},
    {kAny, kBare, kAny, kConcrete, kAny, kConcrete, kHere, kAny, nullptr, Step::Same, Keeps::Own},
    {kAny, kBare, kAny, kConcrete, kAny, kConcrete, kElsewhere, kAny, nullptr, Step::Create, Keeps::Own},
};

enum class Effect : std::uint8_t { Works, Nothing };
struct GradientRow {
  Set call, backend, wrap, payload, context;
  const Refusal *refusal;
  Effect effect;
};
constexpr Set kGradients = set(Call::Backward, Call::Grad, Call::GradRemove, Call::GradReplace);
constexpr Set kQueries = set(Call::IsRequireGrad, Call::RequireGrad, Call::RequireNoGrad, Call::Detach);
constexpr Set kInner = set(Call::Inner), kFromInner = set(Call::FromInner);
constexpr GradientRow kGradientCalls[] = {
    {kAny, kAny, kNested, kAny, kAny, &kNestedTensor, {}},
    {kQueries, kAny, kBoxed, kAny, kAny, nullptr, Effect::Works},
    {kQueries, kAny, kBare, kAny, kAny, nullptr, Effect::Nothing},
    {kGradients, kAny, kBare, kAny, kAny, &kRequiresAutodiff, {}},
    {kGradients, kCapture, kBoxed, kAny, kAny, &kNoCapture, {}},
    {kGradients, kConcrete, kBoxed, kAny, kAny, nullptr, Effect::Works},
    {kInner, kAny, kBare, kFloat, kAny, &kRequiresAutodiff, {}},
    {kInner, kAny, kBoxed, kAny, kOff, &kRequiresAutodiff, {}},
    {kInner, kCapture, kBoxed, kAny, kOn, &kNoCapture, {}},
    {kInner, kConcrete, kBoxed, kAny, kOn, nullptr, Effect::Works},
    {kInner, kAny, kBare, kDiscrete, kOff, &kAlreadyInner, {}},
    {kInner, kAny, kBare, kDiscrete, kOn, nullptr, Effect::Works},
    {kFromInner, kAny, kAny, kAny, kOn, &kAlreadyAutodiff, {}},
    {kFromInner, kCapture, kBare, kFloat, kOff, &kNoCapture, {}},
    {kFromInner, kAny, kBare, static_cast<Set>(kFloat | kDiscrete), kOff, nullptr, Effect::Works},
};

/// The first row of a table for which `matches` holds.
template <class Row, std::size_t N, class F> constexpr const Row &first(const Row (&table)[N], F &&matches) {
  for (const Row &row : table)
    if (matches(row))
      return row;
  throw_internal_error("a table of the dispatcher has no row for a case", std::source_location::current());
}

// The rows that every op meets are found when this is compiled.
constexpr std::size_t kWraps = 3, kClasses = 5, kContexts = 2;
constexpr auto kStateOf = [] {
  std::array<std::array<std::array<const StateRow *, kContexts>, kClasses>, kWraps> rows{};
  for (std::size_t w = 0; w < kWraps; ++w)
    for (std::size_t c = 0; c < kClasses; ++c)
      for (std::size_t o = 0; o < kContexts; ++o)
        rows[w][c][o] = &first(kStates, [&](const StateRow &row) {
          return (row.wrap >> w) & (row.payload >> c) & (row.context >> o) & 1;
        });
  return rows;
}();
constexpr auto kMergeOf = [] {
  std::array<std::array<std::array<const MergeRow *, 2>, kContexts>, kContexts> rows{};
  for (std::size_t l = 0; l < kContexts; ++l)
    for (std::size_t r = 0; r < kContexts; ++r)
      for (std::size_t s = 0; s < 2; ++s)
        rows[l][r][s] = &first(
            kMerge, [&](const MergeRow &row) { return (row.left >> l) & (row.right >> r) & (row.same >> s) & 1; });
  return rows;
}();
constexpr auto kPackingOf = [] {
  std::array<std::array<bool, kClasses>, kContexts> boxed{};
  for (std::size_t o = 0; o < kContexts; ++o)
    for (std::size_t c = 0; c < kClasses; ++c)
      boxed[o][c] =
          first(kPacking, [&](const PackingRow &row) { return (row.context >> o) & (row.payload >> c) & 1; }).boxed;
  return boxed;
}();

const StateRow &state_row(const State &state) {
  return *kStateOf[std::min<std::size_t>(state.boxes, kWraps - 1)][static_cast<std::size_t>(state.payload)]
                  [state.context.has_value()];
}

} // namespace

std::string Place::str() const {
  return number < 0 ? backend_name(backend) : std::string(backend_name(backend)) + "(" + std::to_string(number) + ")";
}

State state_of(const TensorState &tensor) {
  State state{target_of(tensor.device).place, class_of(tensor.type.dtype), 0, tensor.device.checkpointing()};
  if (tensor.node && state.payload == Class::Float)
    state.payload = Class::Autodiff;
  for (const TensorState *layer = &tensor; layer && layer->node; layer = layer->inner.state().get())
    ++state.boxes;
  return state;
}

Target target_of(const Device &device) {
  return {{device.backend(), device.number(), device.recorder().get()}, device.is_autodiff(), device.checkpointing()};
}

void check(const State &state, const CallSite &site) {
  if (const Refusal *refusal = state_row(state).refusal)
    refuse(*refusal, site);
}

Context merge(const Context &a, const Context &b, const CallSite &site) {
  const MergeRow &row = *kMergeOf[a.has_value()][b.has_value()][a == b];
  if (row.refusal)
    refuse(*row.refusal, site, {{"lhs", checkpointing_name(*a)}, {"rhs", checkpointing_name(*b)}});
  return row.takesRight ? b : a;
}

namespace {

/// The argument that the op runs by; the innermost functional capture's, where there is one.
std::size_t routing_argument(std::span<const Argument> arguments, const CallSite &site) {
  const Argument *deepest = nullptr;
  for (const Argument &argument : arguments)
    if (argument.present && argument.function > (deepest ? deepest->function : -1))
      deepest = &argument;
  if (deepest)
    return static_cast<std::size_t>(deepest - arguments.data());
  for (const SearchRow &row : kSearch)
    for (const Argument &argument : arguments)
      if (argument.present && (row.form & set(argument.form)) && (row.payload & set(argument.state.payload)))
        return static_cast<std::size_t>(&argument - arguments.data());
  refuse(kNoInput, site);
}

[[noreturn]] void refuse_place(std::span<const Argument> arguments, const Argument &routing, const Argument &other,
                               const CallSite &site) {
  std::size_t count = 0;
  for (const Argument &argument : arguments)
    count += argument.present;
  if (count > 2) {
    const std::string position = std::to_string(&other - arguments.data());
    refuse(kWrongBackend, site, {{"name", other.name.empty() ? std::string_view(position) : other.name}});
  }
  // Two devices of one backend need their numbers to be told apart.
  const bool numbers = routing.state.place.backend == other.state.place.backend;
  const auto name = [&](const Place &place) { return numbers ? place.str() : backend_name(place.backend); };
  const std::string lhs = name(routing.state.place), rhs = name(other.state.place);
  refuse(kTwoBackends, site, {{"lhs", lhs}, {"rhs", rhs}});
}

} // namespace

Decision decide(std::span<const Argument> arguments, const CallSite &site) {
  for (const Argument &argument : arguments)
    if (argument.present)
      check(argument.state, site);
  const std::size_t routing = routing_argument(arguments, site);
  if (arguments[routing].function >= 0)
    return {routing, Route::Function, {}};
  Context context;
  bool floats = false;
  for (const Argument &argument : arguments)
    if (argument.present) {
      context = merge(context, argument.state.context, site);
      floats |= is_float(argument.state.payload);
    }
  for (const Argument &argument : arguments)
    if (argument.present && argument.state.place != arguments[routing].state.place)
      refuse_place(arguments, arguments[routing], argument, site);
  const RouteRow &row =
      first(kRoutes, [&](const RouteRow &row) { return (row.context & on(context)) && (row.floats & flag(floats)); });
  return {routing, row.route, context};
}

bool boxes_result(const Context &context, Class result) {
  return kPackingOf[context.has_value()][static_cast<std::size_t>(result)];
}

Move move(const State &state, const Target &target, bool initialized, std::string_view id, const CallSite &site) {
  // A boxed discrete tensor has a text of its own here.
  if (const Refusal *refusal = state_row(state).refusal;
      refusal && !(refusal == &kOnlyFloats && (set(state.payload) & kDiscrete)))
    refuse(*refusal, site);
  const Where where = state.place == target.place                   ? Where::SamePlace
                      : state.place.backend == target.place.backend ? Where::SameBackend
                                                                    : Where::OtherBackend;
  const MoveRow &row = first(kMoves, [&](const MoveRow &row) {
    return (row.payload & set(state.payload)) && (row.wrap & wraps(state.boxes)) && (row.context & on(state.context)) &&
           (row.from & set(state.place.backend)) && (row.wrappers & wraps(target.wrappers)) &&
           (row.to & set(target.place.backend)) && (row.where & set(where)) && (row.initialized & flag(initialized));
  });
  if (row.refusal)
    refuse(*row.refusal, site, {{"id", id}});
  return {row.step, row.keeps == Keeps::Own ? state.context : row.keeps == Keeps::Targets ? target.context : Context()};
}

bool allows(Call call, const State &state, const CallSite &site) {
  const GradientRow &row = first(kGradientCalls, [&](const GradientRow &row) {
    return (row.call & set(call)) && (row.backend & set(state.place.backend)) && (row.wrap & wraps(state.boxes)) &&
           (row.payload & set(state.payload)) && (row.context & on(state.context));
  });
  if (row.refusal)
    refuse(*row.refusal, site);
  return row.effect == Effect::Works;
}

void check_replacement(const State &tensor, const State &gradient, const CallSite &site) {
  if (gradient.context)
    refuse(kInnerGradients, site);
  if (tensor.place != gradient.place) {
    const std::string lhs = backend_name(tensor.place.backend), rhs = backend_name(gradient.place.backend);
    refuse(kTwoBackends, site, {{"lhs", lhs}, {"rhs", rhs}});
  }
}

} // namespace ingot::dispatch
