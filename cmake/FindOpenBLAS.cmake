# Finds OpenBLAS with its C interface and defines OpenBLAS::OpenBLAS.
#
# pkg-config is tried first if it exists; otherwise the usual places are searched. Distributions put
# cblas.h and the library into a folder named after the variant (pthread, openmp, serial).
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_OPENBLAS QUIET openblas)
endif()

set(openblas_variants openblas openblas-pthread openblas-openmp openblas-serial)
find_path(OpenBLAS_INCLUDE_DIR cblas.h
          HINTS ${PC_OPENBLAS_INCLUDE_DIRS} $ENV{OpenBLAS_HOME}/include
          PATH_SUFFIXES ${openblas_variants})
find_library(OpenBLAS_LIBRARY openblas
             HINTS ${PC_OPENBLAS_LIBRARY_DIRS} $ENV{OpenBLAS_HOME}/lib
             PATH_SUFFIXES ${openblas_variants})
mark_as_advanced(OpenBLAS_INCLUDE_DIR OpenBLAS_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenBLAS
  REQUIRED_VARS OpenBLAS_LIBRARY OpenBLAS_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "On Debian and Ubuntu: apt-get install libopenblas-dev")

if(OpenBLAS_FOUND AND NOT TARGET OpenBLAS::OpenBLAS)
  add_library(OpenBLAS::OpenBLAS UNKNOWN IMPORTED)
  set_target_properties(OpenBLAS::OpenBLAS PROPERTIES
    IMPORTED_LOCATION "${OpenBLAS_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${OpenBLAS_INCLUDE_DIR}")
endif()
