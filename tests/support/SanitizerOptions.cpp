// What the sanitizers must know of LLVM's shared libraries, which are built without them. Part of every test in a
// sanitizer build.

/// LLVM's allocators, inline in its headers, mark memory in our code and hand it out in LLVM's, where nothing unmarks
/// it.
extern "C" const char *__asan_default_options() { return "allow_user_poisoning=0"; }

/// A thread that ends leaves the caches of the contexts it made while another thread may destroy one of them. libMLIR
/// orders the two by the count of a shared_ptr, an atomic that only an instrumented library shows.
extern "C" const char *__tsan_default_suppressions() { return "race:ingot::ContextPool::Lease::~Lease\n"; }
