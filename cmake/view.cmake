# Compiles the animated view of reports into the library: our scripts and style, and three.js as the
# system has it (Debian: libjs-three).
include(cmake/embed.cmake)
find_file(BRISTLE_THREE_JS three.min.js REQUIRED
  PATHS /usr/share/javascript/three /usr/share/nodejs/three/build NO_DEFAULT_PATH
  DOC "three.js, minified, a version that sets the global THREE (up to r150)")
file(GLOB bristle_view_files CONFIGURE_DEPENDS src/report/view/*.js src/report/view/*.css)
bristle_embed(bristle_builtin_view FILES ${bristle_view_files} ${BRISTLE_THREE_JS}
  NAME builtin_view FOLDER src/report
  NAMESPACE bristle::plot_detail TYPE BuiltInScript FUNCTION builtin_scripts)
target_sources(bristle PRIVATE ${bristle_builtin_view})
