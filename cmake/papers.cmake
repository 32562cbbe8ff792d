# Published items and their reproduction; papers/*.yaml and studies/*.yaml are compiled in.
include(cmake/embed.cmake)
file(GLOB bristle_paper_files CONFIGURE_DEPENDS papers/*.yaml)
bristle_embed(bristle_builtin_papers FILES ${bristle_paper_files} NAME builtin_papers FOLDER src/papers
  NAMESPACE bristle::papers::detail TYPE BuiltInPaper FUNCTION builtin_paper_files)
file(GLOB bristle_study_files CONFIGURE_DEPENDS studies/*.yaml)
bristle_embed(bristle_builtin_studies FILES ${bristle_study_files} NAME builtin_studies FOLDER src/papers
  NAMESPACE bristle::papers::detail TYPE BuiltInPaper FUNCTION builtin_study_files)
file(GLOB bristle_papers_sources CONFIGURE_DEPENDS src/papers/*.cpp)
add_library(bristle_papers ${bristle_papers_sources} ${bristle_builtin_papers}
  ${bristle_builtin_studies})
add_library(bristle::bristle_papers ALIAS bristle_papers)
target_link_libraries(bristle_papers PUBLIC bristle_identify bristle
  PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
bristle_own_target(bristle_papers)
bristle_precompile(bristle_papers <nlohmann/json.hpp>)
bristle_unity(bristle_papers ALONE "src/papers/study_(page|run)")
