#include "ingot/capture/Autodiff.h"

#include "ingot/capture/Dispatch.h"
#include "ingot/capture/Gradients.h"
#include "ingot/capture/Pool.h"
#include "ingot/capture/SoleOwner.h"
#include "ingot/capture/Stream.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace ingot {

/// One recorded op. Its inputs are nodes of the tape or constants of it; whoever holds a node of a result holds it.
struct TapeStep {
  struct Input {
    std::shared_ptr<TapeNode> node; // tracked, or null
    Tensor constant;                // the plain tensor otherwise
  };
  OpKind kind;
  CallSite site;
  std::vector<AttrValue> attributes;
  std::vector<std::shared_ptr<const Trace>> regions;
  std::shared_ptr<const std::string> scope;
  bool consumed = false;  // by a backward pass
  std::uint64_t seen = 0; // the last pass that came here; this and the next are of passes, which hold the tape's mutex
  ValueId value = 0;      // of the first result, in that pass's region
  SmallVector<Input, 2> inputs;
  SmallVector<Tensor, 1> saved; // the plain results, where computing them again would be dear
  SmallVector<TensorType, 1> results;
  TapeNode first;                    // of the first result
  std::unique_ptr<TapeNode[]> later; // of the others

  TapeStep(OpKind kind, CallSite site, std::vector<AttrValue> attributes,
           std::vector<std::shared_ptr<const Trace>> regions, std::shared_ptr<const std::string> scope)
      : kind(kind), site(site), attributes(std::move(attributes)), regions(std::move(regions)),
        scope(std::move(scope)) {}
  ~TapeStep();
};

namespace {

using Requirement = TapeNode::Requirement;

std::mutex tapeMutex; // held by backward passes; recording only adds fresh nodes

constexpr const char *kNoStep = "Node should have a step registered, did you forget to call `Tensor::register_grad` on "
                                "the tensor where you need gradients?";

bool is_known(const Tensor &plain) { return plain.state()->is_settled() && plain.state()->data; }

/// Steps in an order that puts producers first, without recursion: tapes are long.
std::vector<TapeStep *> steps_below(TapeStep *root, Location at) {
  static std::uint64_t passes = 0;
  const std::uint64_t pass = ++passes;
  std::vector<TapeStep *> order;
  std::vector<std::pair<TapeStep *, std::size_t>> path;
  order.reserve(64), path.reserve(64);
  path.emplace_back(root, 0);
  root->seen = pass;
  while (!path.empty()) {
    auto &[step, next] = path.back();
    if (step->consumed)
      throw GradientError(kNoStep, CallSite(at));
    if (next == step->inputs.size()) {
      order.push_back(step);
      path.pop_back();
      continue;
    }
    const std::shared_ptr<TapeNode> &node = step->inputs[next++].node;
    if (node && node->step && std::exchange(node->step->seen, pass) != pass)
      path.emplace_back(node->step, 0);
  }
  return order;
}

/// The recorded region as a function: its first inputs are `leaves`, the others what else it reads. What a step saved
/// and a read has computed meanwhile stands in for its results.
class Region {
public:
  std::vector<std::shared_ptr<TapeNode>> leaves;

  /// `expected` is the region of the last round, or null.
  Region(const std::vector<TapeStep *> &steps, std::shared_ptr<const Pattern> expected) {
    if (expected)
      recorder.repetition.emplace(std::move(expected));
    for (const TapeStep *step : steps)
      for (const TapeStep::Input &input : step->inputs)
        if (input.node && !input.node->step && leafValues.try_emplace(input.node.get(), 0).second) {
          leafValues[input.node.get()] = recorder.add_input(input.node->leaf.type());
          leaves.push_back(input.node);
        }
    SmallVector<ValueId, 4> ids;
    for (TapeStep *step : steps) {
      ids.clear();
      for (const TapeStep::Input &input : step->inputs)
        ids.push_back(!input.node        ? recorder.lift(input.constant.state(), step->site)
                      : input.node->step ? input.node->step->value + input.node->result
                                         : leafValues.at(input.node.get()));
      step->value =
          recorder.append(step->kind, ids, step->attributes, step->site, step->regions, step->results, step->scope);
      if (!step->saved.empty() && std::all_of(step->saved.begin(), step->saved.end(), is_known))
        replace_results(*step);
    }
  }

  /// What the function reads beside the leaves.
  const std::vector<StateRef> &inputs() const { return recorder.inputs; }

  /// Closes the function with the sum of a result's elements as its output.
  std::shared_ptr<const Trace> finish(const TapeStep &step, std::uint32_t result, Location at) {
    ValueId value = step.value + result;
    const TensorType &type = step.results[result];
    if (const int rank = type.shape.rank(); rank != 0) {
      std::vector<std::int64_t> axes(static_cast<std::size_t>(rank));
      std::iota(axes.begin(), axes.end(), 0);
      const AttrValue attribute(std::move(axes));
      const TensorType sum{type.dtype, {}};
      value = recorder.append(OpKind::ReduceSum, {&value, 1}, {&attribute, 1}, CallSite(at), {}, {&sum, 1}, nullptr);
    }
    std::shared_ptr<const Trace> trace = recorder.finish({value});
    refuse_without_derivative(*trace, at);
    const bool repeated = trace.get() != &recorder.trace;
    return repeated ? trace : std::make_shared<const Trace>(std::move(recorder.trace));
  }

private:
  Recorder recorder{Recorder::Kind::Subfunction, 0, Device()};
  PooledMap<const TapeNode *, ValueId> leafValues;

  void replace_results(TapeStep &step) {
    std::vector<ValueId> values;
    for (const Tensor &known : step.saved)
      values.push_back(recorder.lift(known.state(), step.site));
    const ValueId computed = step.value;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ValueId pair[] = {computed + static_cast<ValueId>(i), values[i]};
      const ValueId value = recorder.append(OpKind::Saved, pair, {}, step.site, {}, {&step.results[i], 1}, nullptr);
      if (i == 0)
        step.value = value;
    }
  }
};

} // namespace

/// Long tapes are taken down in a loop, not by recursion.
TapeStep::~TapeStep() {
  std::vector<std::shared_ptr<TapeNode>> dead;
  auto collect = [&dead](TapeStep &step) {
    for (Input &input : step.inputs)
      if (input.node && input.node->step && is_sole_owner(input.node))
        dead.push_back(std::move(input.node));
  };
  collect(*this);
  while (!dead.empty()) {
    const std::shared_ptr<TapeNode> last = std::move(dead.back());
    dead.pop_back();
    collect(*last->step);
  }
}

namespace {

/// The tensor above a plain one, without a place on the tape yet.
StateRef above(Tensor plain, const Device &device) {
  StateRef state = make_state(plain.state()->type, device);
  state->inner = std::move(plain);
  return state;
}

bool is_boxed(const TensorState &state) {
  return dispatch::boxes_result(state.device.checkpointing(), dispatch::class_of(state.type.dtype));
}

} // namespace

Tensor wrap_autodiff(Tensor plain, const Device &device) {
  StateRef state = above(std::move(plain), device);
  if (is_boxed(*state))
    state->node = std::allocate_shared<TapeNode>(PoolAllocator<TapeNode>());
  return Tensor(std::move(state));
}

void refuse_custom_autodiff(const std::string &name, Location at) {
  throw DispatchError("Autodiff not supported for custom op `" + name + "`", CallSite(at));
}

TensorList apply_autodiff(const Device &device, OpKind kind, TensorList &&operands, std::vector<AttrValue> attributes,
                          Location at, const char *name, std::vector<std::shared_ptr<const Trace>> regions) {
  if (op_info(kind).has(kNative) && regions.empty())
    refuse_custom_autodiff(std::get<NativeOpRef>(attributes[0]).name, at);
  bool tracked = false;
  for (const Tensor &t : operands)
    tracked |= t.state()->node && t.state()->node->tracked();
  std::shared_ptr<TapeStep> step;
  if (tracked)
    step = std::allocate_shared<TapeStep>(PoolAllocator<TapeStep>(), kind, CallSite(at), std::move(attributes),
                                          std::move(regions), current_scope());
  TensorList plain;
  for (Tensor &t : operands) {
    StateRef state = std::move(t).state();
    const bool last = state.is_sole(); // gives up what it holds
    if (step) {
      TapeStep::Input &input = step->inputs.emplace_back();
      if (state->node && state->node->tracked())
        input.node = last ? std::move(state->node) : state->node;
      else
        input.constant = state->inner.state() ? state->inner : Tensor(state);
    }
    if (!state->inner.state())
      plain.push_back(Tensor(std::move(state)));
    else
      plain.push_back(last ? std::move(state->inner) : state->inner);
  }
  operands.clear();
  TensorList results = apply_below(kind, std::move(plain), step ? step->attributes : attributes, at, name,
                                   step ? step->regions : regions);
  if (!step) {
    for (Tensor &result : results)
      result = wrap_autodiff(std::move(result), device);
    return results;
  }
  if (results.size() > 1)
    step->later = std::make_unique<TapeNode[]>(results.size() - 1);
  // Handles that a flush sees: it gives these values memory along with what was asked for.
  if (device.backend() == Backend::Cpu && !op_info(kind).has(kMemoryBound))
    for (const Tensor &result : results)
      step->saved.push_back(result);
  for (std::size_t i = 0; i < results.size(); ++i) {
    StateRef state = above(std::move(results[i]), device);
    step->results.push_back(state->type);
    if (is_boxed(*state)) {
      TapeNode &node = i == 0 ? step->first : step->later[i - 1];
      node.step = step.get();
      node.result = static_cast<std::uint32_t>(i);
      node.requirement = Requirement::GradInBackward;
      state->node = std::shared_ptr<TapeNode>(step, &node);
    }
    results[i] = Tensor(std::move(state));
  }
  return results;
}

namespace {

using dispatch::Call;

/// Whether the strict layer does the call's work on the tensor; throws where it refuses or there is no tensor.
bool allows(Call call, const StateRef &state, const char *name, Location at) {
  if (!state)
    throw DispatchError("[" + std::string(name) + "] the Tensor is empty", CallSite(at));
  return dispatch::allows(call, dispatch::state_of(*state), CallSite(at));
}

} // namespace

bool Tensor::is_autodiff(Location at) const { return device(at).is_autodiff(); }
bool Tensor::is_tracked(Location at) const { return is_autodiff(at) && state_->node && state_->node->tracked(); }

bool Tensor::is_require_grad(Location at) const {
  return allows(Call::IsRequireGrad, state_, "device", at) && state_->node->requirement == Requirement::Grad;
}

Tensor Tensor::require_grad(bool wanted, Location at) const {
  if (!allows(wanted ? Call::RequireGrad : Call::RequireNoGrad, state_, "require_grad", at))
    return *this;
  if (!wanted)
    return wrap_autodiff(state_->inner, state_->device);
  if (state_->node->requirement == Requirement::GradInBackward)
    throw GradientError("Can't convert a non leaf tensor into a tracked tensor", CallSite(at));
  // A pending value that becomes a leaf ends a round of training: the round is one program, the same every time, also
  // when nothing is read.
  if (const TensorState &plain = *state_->inner.state(); plain.segment != 0 && !plain.is_settled())
    run_segment(*plain.stream, plain.segment, at);
  std::lock_guard lock(tapeMutex);
  state_->node->leaf = state_->inner;
  state_->node->requirement = Requirement::Grad;
  return *this;
}

Tensor Tensor::detach(Location at) const {
  if (!allows(Call::Detach, state_, "detach", at))
    return *this;
  Tensor copy = wrap_autodiff(state_->inner, state_->device);
  return is_require_grad(at) ? copy.require_grad(true, at) : copy;
}

// What users call is idempotent: the strict layer is asked only where there is a step to take.
Tensor Tensor::inner(Location at) const {
  if (state_ && !state_->device.is_autodiff())
    return *this;
  allows(Call::Inner, state_, "inner", at);
  return state_->inner;
}

Tensor Tensor::autodiff(Location at) const {
  if (state_ && state_->device.is_autodiff())
    return *this;
  allows(Call::FromInner, state_, "autodiff", at);
  return wrap_autodiff(*this, state_->device.autodiff());
}

std::optional<Checkpointing> Tensor::gradient_checkpointing_strategy(Location at) const {
  return device(at).checkpointing();
}

Tensor Tensor::with_gradient_checkpointing_strategy(Checkpointing strategy, Location at) const {
  if (!is_autodiff(at))
    throw GradientError("Tensor::with_gradient_checkpointing_strategy requires autodiff; call Tensor::autodiff first",
                        CallSite(at));
  if (state_->device.checkpointing() == strategy)
    return *this;
  StateRef state = make_state(state_->type, state_->device.inner().autodiff(strategy));
  state->inner = state_->inner;
  state->node = state_->node;
  return Tensor(std::move(state));
}

namespace {

/// What the last round of a loop differentiated at this place; null for none.
std::shared_ptr<const Pattern> expected_region(const Device &device) {
  if (device.backend() != Backend::Cpu)
    return nullptr;
  Stream &stream = Stream::current();
  std::lock_guard lock(stream.mutex);
  stream.begin();
  return stream.repetition ? stream.repetition->next_region() : nullptr;
}

} // namespace

Gradients Tensor::backward(Location at) const {
  allows(Call::Backward, state_, "backward", at);
  const std::shared_ptr<TapeNode> &root = state_->node;
  Gradients gradients;
  if (root->requirement == Requirement::Grad) {
    gradients.list.emplace(root, full(shape(), 1, dtype(), device().inner(), at));
    return gradients;
  }
  if (!root->step)
    throw GradientError(kNoStep, CallSite(at));
  TensorList arguments;
  std::vector<TapeStep::Input> released; // both are dropped after the lock
  std::vector<Tensor> saved;
  std::shared_ptr<const Trace> trace;
  std::vector<std::shared_ptr<TapeNode>> leaves;
  std::shared_ptr<const Pattern> expected = expected_region(device());
  {
    std::lock_guard lock(tapeMutex);
    const std::vector<TapeStep *> steps = steps_below(root->step, at);
    Region region(steps, std::move(expected));
    trace = region.finish(*root->step, root->result, at);
    for (const std::shared_ptr<TapeNode> &leaf : region.leaves)
      arguments.push_back(leaf->leaf);
    for (const StateRef &state : region.inputs())
      arguments.emplace_back(state);
    for (TapeStep *step : steps)
      step->consumed = true;
    // Nobody reads the inputs of consumed steps; what they hold may go. Nodes first release their users.
    released.reserve(2 * steps.size());
    saved.reserve(steps.size());
    for (TapeStep *step : steps) {
      std::move(step->inputs.begin(), step->inputs.end(), std::back_inserter(released)), step->inputs.clear();
      std::move(step->saved.begin(), step->saved.end(), std::back_inserter(saved)), step->saved.clear();
    }
    leaves = std::move(region.leaves);
  }
  std::vector<std::int64_t> wrt;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    wrt.push_back(static_cast<std::int64_t>(i));
  TensorList results =
      apply_op(OpKind::Grad, std::move(arguments),
               {std::move(wrt), std::int64_t(0), std::string(checkpointing_name(*device().checkpointing()))}, at,
               "backward", {std::move(trace)});
  for (std::size_t i = 0; i < leaves.size(); ++i)
    gradients.list.emplace(leaves[i], std::move(results[i]));
  return gradients;
}

std::optional<Tensor> Gradients::of(const Tensor &leaf, Location at) const {
  if (!leaf.state() || !leaf.is_require_grad(at))
    return std::nullopt;
  allows(Call::Grad, leaf.state(), "of", at);
  auto found = list.find(leaf.state()->node);
  return found == list.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Tensor> Gradients::take(const Tensor &leaf, Location at) {
  if (!leaf.state() || !leaf.is_require_grad(at))
    return std::nullopt;
  allows(Call::GradRemove, leaf.state(), "take", at);
  auto found = list.find(leaf.state()->node);
  if (found == list.end())
    return std::nullopt;
  Tensor gradient = std::move(found->second);
  list.erase(found);
  return gradient;
}

void Gradients::replace(const Tensor &leaf, Tensor gradient, Location at) {
  allows(Call::GradReplace, leaf.state(), "replace", at);
  if (!gradient.state())
    throw DispatchError("[replace] the Tensor is empty", CallSite(at));
  dispatch::check_replacement(dispatch::state_of(*leaf.state()), dispatch::state_of(*gradient.state()), CallSite(at));
  if (gradient.dtype() != leaf.dtype())
    throw DTypeError("[replace] the gradient is " + std::string(dtype_name(gradient.dtype())) + ", the tensor " +
                         std::string(dtype_name(leaf.dtype())),
                     CallSite(at));
  if (!(gradient.shape() == leaf.shape()))
    throw ShapeError("[replace] the gradient has shape " + gradient.shape().str() + ", the tensor " +
                         leaf.shape().str(),
                     CallSite(at));
  list.insert_or_assign(leaf.state()->node, std::move(gradient));
}

} // namespace ingot
