// What the sanitizers must know of LLVM's shared libraries, which are built without them. Part of every test in a
// sanitizer build.

/// LLVM's allocators, inline in its headers, mark memory in our code and hand it out in LLVM's, where nothing unmarks
/// it.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }

/// Where a thread ends while another drops a context, libMLIR orders the two by the counts of shared pointers, atomics
/// that only an instrumented library shows. What it calls is not looked at, its locks among them; it unlocks some by a
/// jump, which looks like a call of ours, so that mutexes that seem not to be locked are no reports either.
extern "C" const char *__tsan_default_suppressions() { return "called_from_lib:libMLIR.so\n"; }
extern "C" const char *__tsan_default_options() { return "report_mutex_bugs=0"; }
