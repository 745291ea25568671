// SPDX-License-Identifier: Apache-2.0
// consumer: loads the provider that its argument names, opens it, and prints its id.
#include <iostream>

#include "tenure/loader/registry.hpp"

int main(int, char** argv) {
  tenure::Registry registry;
  const tenure::Provider provider = registry.load(argv[1]);
  tenure::Instance instance = provider.open();
  std::cout << provider.id() << '\n';
  instance.close();
}
