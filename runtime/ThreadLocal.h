// Thread-local variables that are reached without a call, also in a shared library.
#pragma once

/// For a few words at most: they come from a reserve that all libraries loaded by dlopen share.
#define INGOT_STATIC_TLS [[gnu::tls_model("initial-exec")]]
