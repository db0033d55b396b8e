/* The interface between compiled programs and their callers, version 1. Valid C99 and C++17; a copy stands in
 * every generated header, under this guard, so that any number of them meet in one program. */
#ifndef INGOT_ABI_V1
#define INGOT_ABI_V1

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Filled on a non-zero return, if the context has one. */
typedef struct ingot_error_record {
  int32_t code, op;             /* op: ordinal in the program's site table, or -1 */
  int64_t index, bound, result; /* of an index error: the index, the axis size, the position */
} ingot_error_record;

/* One task of a parallel region. slot < slots names the worker that runs it, for its scratch memory. */
typedef void (*ingot_task_fn)(void *arg, int64_t task, int32_t slot);

/* A native custom op. call returns 0, or a non-zero code that ends the program's run; it must not throw. */
typedef struct ingot_native_op {
  int32_t (*call)(void *state, const void *const *inputs, void *const *outputs);
  void *state;
} ingot_native_op;

/* Told about every run of a kernel, on the calling thread; kernel is the ordinal in the program's kernel
 * table. */
typedef struct ingot_profiler {
  void (*begin)(void *state, int32_t kernel);
  void (*end)(void *state, int32_t kernel);
  void *state;
} ingot_profiler;

/* What a run may use. A null context means: one slot, no key, no native ops, no error record, no profiler. */
typedef struct ingot_context {
  size_t size; /* sizeof(ingot_context): the struct can grow */
  /* Runs fn(arg, task, slot) for every task in [0, tasks) and returns when all are done. Null: the caller
   * runs every task, in order. */
  void (*parallel_for)(void *state, int64_t tasks, ingot_task_fn fn, void *arg);
  void *state;
  int32_t slots;           /* workers that parallel_for may use; must not exceed the program's NAME_MAX_SLOTS */
  const uint64_t *rng_key; /* two words; needed only by programs that draw without a key of their own */
  const ingot_native_op *native_ops; /* functions of native custom ops, in the order of the program's table */
  ingot_error_record *error;
  const ingot_profiler *profiler;
} ingot_context;

#ifdef __cplusplus
}
#endif

#endif /* INGOT_ABI_V1 */
