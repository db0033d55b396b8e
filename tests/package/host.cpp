// A program that knows nothing of Ingot and opens the plugin: nothing in the libraries may need to be there at the
// start.
#include <cstdio>
#include <dlfcn.h>

int main(int, char **argv) {
  void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  const auto twice = reinterpret_cast<float (*)(float)>(dlsym(plugin, "twice"));
  return twice && twice(21) == 42 ? 0 : 1;
}
