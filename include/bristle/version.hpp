#pragma once

namespace bristle {
inline constexpr const char* version = "0.1.0";
}
