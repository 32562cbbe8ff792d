# What makes a fault in memory end the program rather than be used: of optimised builds, since
# _FORTIFY_SOURCE needs it and sanitizers find more. It costs up to 3 % of a step.
option(BRISTLE_HARDENING "Harden release builds against faults in memory" ON)
function(bristle_harden target)
  if(NOT BRISTLE_HARDENING OR NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    return()
  endif()
  get_target_property(kind ${target} TYPE)
  set(options -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
  if(NOT kind STREQUAL "SHARED_LIBRARY" AND NOT CMAKE_POSITION_INDEPENDENT_CODE)
    list(APPEND options -fPIE)
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
    list(APPEND options -fcf-protection)
  endif()
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:${options}>")
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${target} PRIVATE "$<$<CONFIG:Release>:-Wl,-z,relro,-z,now>")
    if(kind STREQUAL "EXECUTABLE")
      target_link_options(${target} PRIVATE "$<$<CONFIG:Release>:-pie>")
    endif()
  endif()
endfunction()

# Compiler settings of our own targets. PRIVATE, hence never exported: other people's warnings and
# floating-point settings are their own business.
function(bristle_own_target target)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${BRISTLE_WERROR}>:-Werror>
    # GCC 12 warns falsely about "literal" + std::string (GCC bug 105651), under three names; the
    # sanitizers watch over the same faults.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>
    # Determinism: GCC fuses a*b+c into one rounding where the processor has FMA (-march=native,
    # AArch64) and leaves it apart elsewhere. Off, the same input gives the same bytes everywhere.
    # The laws are templates: a program that compiles them itself and wants the same bytes as the
    # command needs this flag too.
    -ffp-contract=off
    # We read neither errno nor floating-point exception flags: square roots become one instruction
    # and selections need no branch. No result changes by a bit.
    -fno-math-errno -fno-trapping-math)
  bristle_harden(${target})
endfunction()
