// The harness on every law with modes.

#include "bristle/friction/laws.hpp"
#include "harness.hpp"

BRISTLE_TEST_LAW(Armstrong);
BRISTLE_TEST_LAW(BristleBonds);
BRISTLE_TEST_LAW(ResetIntegrator);
BRISTLE_TEST_LAW(MdsfBristle);
BRISTLE_TEST_LAW(MdsfAugmented);
