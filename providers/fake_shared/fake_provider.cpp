// SPDX-License-Identifier: Apache-2.0
// fake_provider: the entry of the fake shared domain, for tests.
#include "fake_instance.hpp"
#include "tenure/sdk/provider.hpp"

TENURE_PROVIDER(tenure::fake::FakeInstance, "org.tenure.fake-shared", "Fake shared memory for tests", "0.1.0",
                "Tenure", 0);
