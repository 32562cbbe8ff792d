// The harness on every law with memory; every_law_velocity_test.cpp has the others.

#include "bristle/friction/laws.hpp"
#include "harness.hpp"

BRISTLE_TEST_LAW(Dahl);
BRISTLE_TEST_LAW(LuGre);
BRISTLE_TEST_LAW(LuGreDamped);
BRISTLE_TEST_LAW(ElastoPlastic);
BRISTLE_TEST_LAW(Gonthier);
