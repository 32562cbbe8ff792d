# Compiles scenarios/*.yaml into the library.
include(cmake/embed.cmake)
bristle_embed_yaml(bristle_builtin_scenarios FILES scenarios NAME builtin FOLDER src/scenario
  NAMESPACE bristle::detail TYPE BuiltIn FUNCTION builtin_scenarios)
target_sources(bristle PRIVATE ${bristle_builtin_scenarios})
