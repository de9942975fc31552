# The first install script; it is copied to the build folder, next to installed.txt, the list of built
# files that an installation needs. If one of them is missing, nothing is installed, instead of
# everything up to the missing file.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/installed.txt" all)
set(missing)
foreach(file IN LISTS all)
  if(NOT EXISTS "${file}")
    string(APPEND missing "\n  ${file}")
  endif()
endforeach()
if(missing)
  message(FATAL_ERROR "Nothing was installed, because this is not built yet:${missing}\n"
                      "Build it first:  cmake --build \"${CMAKE_CURRENT_LIST_DIR}\"")
endif()
