#include "bristle/core/error.hpp"

int main() {
  try {
    throw bristle::InputError({.message = "thrown and caught by the consumer"});
  } catch (const bristle::InputError& error) {
    return error.fault().message.empty() ? 1 : 0;
  }
}
