# The target bristle_hdf5: the serial C library of HDF5. FindHDF5 would need a C compiler and takes
# whichever variant its wrapper names, which is OpenMPI's where both are installed. The installed
# package includes this file too, so that paths are looked up on the user's machine.
find_path(BRISTLE_HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(BRISTLE_HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial REQUIRED)
mark_as_advanced(BRISTLE_HDF5_INCLUDE_DIR BRISTLE_HDF5_LIBRARY)

if(NOT TARGET bristle_hdf5)
  add_library(bristle_hdf5 INTERFACE IMPORTED)
  target_include_directories(bristle_hdf5 INTERFACE ${BRISTLE_HDF5_INCLUDE_DIR})
  target_link_libraries(bristle_hdf5 INTERFACE ${BRISTLE_HDF5_LIBRARY})
endif()
