// Which sanitizer watches this build: 0 or 1 each, for g++ and clang.
#pragma once

#if defined(__has_feature)
#define INGOT_HAS_FEATURE(x) __has_feature(x)
#else
#define INGOT_HAS_FEATURE(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || INGOT_HAS_FEATURE(address_sanitizer)
#define INGOT_ADDRESS_SANITIZER 1
#else
#define INGOT_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__) || INGOT_HAS_FEATURE(thread_sanitizer)
#define INGOT_THREAD_SANITIZER 1
#else
#define INGOT_THREAD_SANITIZER 0
#endif
