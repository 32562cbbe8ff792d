# Compiles scenarios/*.yaml into the library.
include(cmake/embed.cmake)
file(GLOB bristle_scenario_files CONFIGURE_DEPENDS scenarios/*.yaml)
bristle_embed(bristle_builtin_scenarios FILES ${bristle_scenario_files} NAME builtin FOLDER src/scenario
  NAMESPACE bristle::detail TYPE BuiltIn FUNCTION builtin_scenarios)
target_sources(bristle PRIVATE ${bristle_builtin_scenarios})
