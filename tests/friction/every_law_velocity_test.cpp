// The harness on every law without memory.

#include "bristle/friction/laws.hpp"
#include "harness.hpp"

BRISTLE_TEST_LAW(Coulomb);
BRISTLE_TEST_LAW(CoulombViscous);
BRISTLE_TEST_LAW(Stiction);
BRISTLE_TEST_LAW(Stribeck);
BRISTLE_TEST_LAW(Tabulated);
BRISTLE_TEST_LAW(Karnopp);
BRISTLE_TEST_LAW(CoulombRegularised);
BRISTLE_TEST_LAW(Classical);
BRISTLE_TEST_LAW(BrownMcPhee);
BRISTLE_TEST_LAW(WangRui);
BRISTLE_TEST_LAW(Chaturvedi);
BRISTLE_TEST_LAW(Kudra);
