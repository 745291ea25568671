// SPDX-License-Identifier: Apache-2.0
// A kernel file as it must not be: its loop has external linkage, so two ISA levels would share it.
namespace tenure::cpu {

template <class T>
void shared_loop(T* out) {
  for (int i = 0; i < 8; ++i) out[i] += T{1};
}
template void shared_loop(double*);

struct PlantedTable {
  void (*loop)(double*);
};
extern const PlantedTable planted_table;
const PlantedTable planted_table{&shared_loop<double>};

}  // namespace tenure::cpu
