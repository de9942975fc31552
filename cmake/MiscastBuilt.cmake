# Comes first when the project is installed; it lies in the build folder then, next to a list of what
# a build makes and an installation takes. Where some of it was not built nothing is installed, instead
# of everything up to there.
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
