#pragma once

/// Triangle meshes in files: Wavefront OBJ and STL.
///
///   const auto bracket = Mesh::make(read_mesh("bracket.stl", 1e-3));  // drawn in millimetres
///
/// OBJ: `v x y z` and `f` with the forms 7, 7/1, 7/1/2, 7//2, negative numbers counted from the
/// last vertex, polygons cut into fans from their first corner (right for convex ones). Groups,
/// materials, textures, normals, lines and points are passed over. STL: text or binary, told apart
/// by the length of the file. Its triangles come without connection, so equal vertices are made
/// one; normals in the file are passed over.

#include <string>

#include "bristle/shape/mesh.hpp"

namespace bristle {

/// By the suffix, .obj or .stl in either case. Coordinates are multiplied by `scale`. InputError
/// with file and line where the file cannot be read or makes no sense. Whether the triangles bound
/// a solid is for Mesh::make to say.
TriangleSoup read_mesh(const std::string& path, double scale = 1);

/// Numbers with 17 digits: reading gives the same bits. InputError where the file cannot be
/// written.
void write_obj(const std::string& path, const TriangleSoup& soup);

}  // namespace bristle
