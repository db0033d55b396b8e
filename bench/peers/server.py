"""One Python peer as a process that times rows on demand, so that the harness can interleave it with Ingot.

Protocol, a line each: `prepare ROW` answers `ok COMPILE_SECONDS` or `error TEXT`; `time ROW ITERATIONS` answers the
seconds of that many calls; `quit` ends. usage: server.py torch|compile|jax THREADS
"""
import os
import sys
import time

FRAMEWORK, THREADS = sys.argv[1], int(sys.argv[2])
os.environ["OMP_NUM_THREADS"] = os.environ["MKL_NUM_THREADS"] = str(THREADS)
if THREADS == 1:
    os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") +
                               " --xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[0]})

import numpy as np  # noqa: E402

if FRAMEWORK == "jax":
    import jax
    import jax.numpy as jnp
else:
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(THREADS)

rng = np.random.default_rng(0)


def rand(*shape):
    return rng.standard_normal(shape).astype(np.float32) * 0.1


def causal_attention_jax(q, k, v):
    s = jnp.einsum("bhqd,bhkd->bhqk", q, k) / (q.shape[-1] ** 0.5)
    s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -jnp.inf)
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(s, -1), v)


def layer_norm_jax(x, g, b):
    return (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g + b


def mlp_torch(x, w1, b1, w2, b2, w3, b3):
    return F.relu(F.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3


def mlp_jax(x, w1, b1, w2, b2, w3, b3):
    return jax.nn.relu(jax.nn.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3


def mlp_parameters():
    return (rand(784, 256), rand(256), rand(256, 128), rand(128), rand(128, 10), rand(10))


def function_row(name):
    """(arrays, torch function, jax function) of a row that is one call of a pure function."""
    kind, _, size = name.partition("_")
    dims = [int(d) for d in size.split("_")[-1].split("x")] if size and size.split("_")[-1].replace("x", "").isdigit() else []
    if kind == "gemm":
        m, k, n = dims
        return (rand(m, k), rand(k, n)), lambda x, w: x @ w, lambda x, w: x @ w
    if kind == "gemmtn":
        return (rand(dims[1], dims[0]), rand(dims[1], dims[2])), lambda x, w: x.T @ w, lambda x, w: x.T @ w
    if kind == "gemmnt":
        return (rand(dims[0], dims[1]), rand(dims[2], dims[1])), lambda x, w: x @ w.T, lambda x, w: x @ w.T
    if kind == "lineargelu":
        m, k, n = dims
        return ((rand(m, k), rand(k, n), rand(n)), lambda x, w, b: F.gelu(x @ w + b),
                lambda x, w, b: jax.nn.gelu(x @ w + b, approximate=False))
    if kind == "softmax":
        return (rand(*dims),), lambda x: F.softmax(x, -1), lambda x: jax.nn.softmax(x, -1)
    if kind == "layernorm":
        n = dims[1]
        return (rand(*dims), rand(n), rand(n)), lambda x, g, b: F.layer_norm(x, (n,), g, b), layer_norm_jax
    if kind == "gelu":
        return (rand(*dims),), lambda x: F.gelu(x), lambda x: jax.nn.gelu(x, approximate=False)
    if kind == "chain":
        return ((rand(*dims), rand(*dims)), lambda x, y: torch.tanh(x * y + 0.5) * x - y,
                lambda x, y: jnp.tanh(x * y + 0.5) * x - y)
    if kind == "axpy":
        return (rand(*dims), rand(*dims)), lambda x, y: x * 1.5 + y, lambda x, y: x * 1.5 + y
    if kind == "transpose":
        return (rand(*dims),), lambda x: x.t().contiguous(), lambda x: x.T + 0
    if kind == "sum":
        return (rand(*dims),), lambda x: x.sum(), lambda x: x.sum()
    if kind in ("colsum", "biasgrad"):
        return (rand(*dims),), lambda x: x.sum(0), lambda x: x.sum(0)
    if kind == "tiny":
        n = dims[0]
        return ((rand(n), rand(n), rand(n)), lambda x, w, b: torch.tanh(x * w + b), lambda x, w, b: jnp.tanh(x * w + b))
    if kind == "mlpinfer":
        return (rand(dims[0], 784),) + mlp_parameters(), mlp_torch, mlp_jax
    raise KeyError(name)


def prepare_function(name):
    arrays, torch_function, jax_function = function_row(name)
    start = time.perf_counter()
    if FRAMEWORK == "jax":
        args = [jnp.asarray(a) for a in arrays]
        function = jax.jit(jax_function)
        function(*args).block_until_ready()
        run, sync = (lambda: function(*args)), (lambda r: r.block_until_ready())
    else:
        args = [torch.from_numpy(a) for a in arrays]
        function = torch_function
        if FRAMEWORK == "compile":
            torch._dynamo.reset()
            function = torch.compile(torch_function)
        run, sync = (lambda: function(*args)), (lambda r: r)
        with torch.no_grad():
            run()
    return run, sync, time.perf_counter() - start


def prepare_mlp_step(batch):
    x0, y0 = rand(batch, 784), rng.integers(0, 10, batch)
    start = time.perf_counter()
    if FRAMEWORK == "jax":
        def loss(p, x, y):
            return -jnp.take_along_axis(jax.nn.log_softmax(mlp_jax(x, *p)), y[:, None], 1).mean()

        def step(p, m, v, t, x, y):
            value, g = jax.value_and_grad(loss)(p, x, y)
            m = tuple(0.9 * a + 0.1 * b for a, b in zip(m, g))
            v = tuple(0.999 * a + 0.001 * b * b for a, b in zip(v, g))
            t = t + 1
            p = tuple(q - 1e-3 * (a / (1 - 0.9**t)) / (jnp.sqrt(b / (1 - 0.999**t)) + 1e-8) for q, a, b in zip(p, m, v))
            return p, m, v, t, value

        compiled = jax.jit(step, donate_argnums=(0, 1, 2))
        p = tuple(jnp.asarray(a) for a in mlp_parameters())
        state = [p, tuple(jnp.zeros_like(a) for a in p), tuple(jnp.zeros_like(a) for a in p), jnp.float32(0)]
        x, y = jnp.asarray(x0), jnp.asarray(y0)

        def run():
            nonlocal state
            *state, value = compiled(*state, x, y)
            return value

        run().block_until_ready()
        return run, (lambda r: r.block_until_ready()), time.perf_counter() - start
    p = [torch.nn.Parameter(torch.from_numpy(a)) for a in mlp_parameters()]
    optimizer = torch.optim.Adam(p, lr=1e-3, fused=True)
    x, y = torch.from_numpy(x0), torch.from_numpy(y0)
    loss = lambda x, y: F.cross_entropy(mlp_torch(x, *p), y)  # noqa: E731
    if FRAMEWORK == "compile":
        torch._dynamo.reset()
        loss = torch.compile(loss)

    def run():
        optimizer.zero_grad(set_to_none=True)
        value = loss(x, y)
        value.backward()
        optimizer.step()
        return value

    run()
    return run, (lambda r: r), time.perf_counter() - start


prepared = {}


def prepare(name):
    if name.startswith("mlpstep_"):
        prepared[name] = prepare_mlp_step(int(name.split("_")[1]))
    else:
        prepared[name] = prepare_function(name)
    return prepared[name][2]


def measure(name, iterations):
    run, sync, _ = prepared[name]
    grad = name.startswith("mlpstep_")
    context = torch.no_grad() if FRAMEWORK != "jax" and not grad else None
    if context:
        context.__enter__()
    start = time.perf_counter()
    for _ in range(iterations):
        result = run()
    sync(result)
    elapsed = time.perf_counter() - start
    if context:
        context.__exit__(None, None, None)
    return elapsed


for line in sys.stdin:
    command, *rest = line.split()
    if command == "quit":
        break
    try:
        if command == "ping":
            print("ok 0", flush=True)
        elif command == "prepare":
            print(f"ok {prepare(rest[0]):.6f}", flush=True)
        elif command == "time":
            print(f"ok {measure(rest[0], int(rest[1])):.9f}", flush=True)
        else:
            print("error unknown command", flush=True)
    except Exception as fault:  # reported to the harness, which says so in its row
        print("error " + str(fault).replace("\n", " ")[:200], flush=True)
