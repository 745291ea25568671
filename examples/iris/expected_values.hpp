// SPDX-License-Identifier: Apache-2.0
// expected_values: what the iris measurements must give. Written by derive_expected_values.py.
#pragma once
// clang-format off

#include <array>

namespace iris {

// In centimetres.
inline constexpr std::array<double, 4> expected_mean{
    5.843333333333334,
    3.0573333333333332,
    3.758,
    1.1993333333333334};

// In square centimetres, column by column; symmetric.
inline constexpr std::array<double, 16> expected_covariance{
    0.6856935123042506,
    -0.04243400447427293,
    1.2743154362416107,
    0.5162706935123043,
    -0.04243400447427293,
    0.189979418344519,
    -0.32965637583892615,
    -0.12163937360178971,
    1.2743154362416107,
    -0.32965637583892615,
    3.1162778523489933,
    1.2956093959731543,
    0.5162706935123043,
    -0.12163937360178971,
    1.2956093959731543,
    0.5810062639821029};

// Pearson's, column by column; symmetric.
inline constexpr std::array<double, 16> expected_correlation{
    1.0,
    -0.11756978413300205,
    0.8717537758865832,
    0.8179411262715757,
    -0.11756978413300205,
    1.0,
    -0.4284401043305397,
    -0.36612593253643905,
    0.8717537758865832,
    -0.4284401043305397,
    1.0,
    0.9628654314027961,
    0.8179411262715757,
    -0.36612593253643905,
    0.9628654314027961,
    1.0};

}  // namespace iris
