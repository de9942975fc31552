# miscast_add_check(TARGET... [NAME name] [ALL] [OPTIONS option...] [DEPENDS file...])
#
# Adds the target TARGET-miscast (after the first target, or NAME), which checks the C files of the
# targets as one program: each file is summarized in a step of its own, with the flags it would be
# compiled with, and again only if it, its flags or a header changed; one step links the summaries.
# Findings fail the target, depending on the options (--fail-on, --exit-zero); with ALL it is part of
# the default build. DEPENDS lists files that the options refer to: a baseline, packs. Call it after
# everything that adds sources to the targets; source properties of files named by generator
# expressions are seen only if it is called in the folder of the target.
#
# The program is the target miscast if it is part of this build, otherwise ${MISCAST_PROGRAM}.

# The C files in a generator expression, relative to this folder.
function(_miscast_expression into expression folder)
  set(files "$<FILTER:${expression},INCLUDE,\\.[ch]$>")
  if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    set(files "$<$<BOOL:${files}>:$<PATH:ABSOLUTE_PATH,${files},${folder}>>")
  endif()
  set(${into} "${files}" PARENT_SCOPE)
endfunction()

# The absolute path of a file; generated files are below the binary folder.
function(_miscast_file into target file folder)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE path)
  if(NOT EXISTS "${path}" AND NOT IS_ABSOLUTE "${file}")
    get_target_property(made_in ${target} BINARY_DIR)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${made_in}" OUTPUT_VARIABLE path)
  endif()
  set(${into} "${path}" PARENT_SCOPE)
endfunction()

# Copies the source properties that a file has in its own folder to this one.
function(_miscast_properties target file)
  foreach(property COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FLAGS INCLUDE_DIRECTORIES)
    get_source_file_property(value "${file}" TARGET_DIRECTORY ${target} ${property})
    if(value)
      set_property(SOURCE "${file}" PROPERTY ${property} "${value}")
    endif()
  endforeach()
endfunction()

# An object library with miscast as compiler launcher reads the files, so CMake itself determines the
# flags of each, whatever generator expressions they come from.
function(_miscast_units into target)
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "miscast_add_check: ${target} has no source files")
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(files "")
  set(open "")
  set(waits FALSE)
  foreach(source IN LISTS sources)
    # A generator expression that contains a list is one entry.
    if(open)
      set(source "${open};${source}")
    endif()
    string(REGEX MATCHALL "\\$<" begins "${source}")
    string(REGEX MATCHALL ">" ends "${source}")
    list(LENGTH begins begin_count)
    list(LENGTH ends end_count)
    if(begin_count GREATER end_count)
      set(open "${source}")
      continue()
    endif()
    set(open "")
    if(begin_count)
      _miscast_expression(source "${source}" "${folder}")
      list(APPEND files "${source}")
    elseif(source MATCHES "\\.[ch]$")
      _miscast_file(source ${target} "${source}" "${folder}")
      get_source_file_property(language "${source}" TARGET_DIRECTORY ${target} LANGUAGE)
      if(NOT language OR language STREQUAL "C")
        list(APPEND files "${source}")
      endif()
      if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
        _miscast_properties(${target} "${source}")
        get_source_file_property(made "${source}" TARGET_DIRECTORY ${target} GENERATED)
        if(made) # by a rule that is visible only in that folder
          set(waits TRUE)
        endif()
      endif()
    endif()
  endforeach()
  if(NOT files MATCHES "\\.c(;|$)|\\$<")
    message(FATAL_ERROR "miscast_add_check: ${target} has no C files")
  endif()

  set(units ${target}-miscast-units)
  if(NOT TARGET ${units})
    add_library(${units} OBJECT EXCLUDE_FROM_ALL ${files})
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES
                     LINK_LIBRARIES)
      set_property(TARGET ${units} PROPERTY ${property} "$<TARGET_PROPERTY:${target},${property}>")
    endforeach()
    # These are read when the target is created, or do not support generator expressions.
    foreach(property C_STANDARD C_STANDARD_REQUIRED C_EXTENSIONS COMPILE_FLAGS
                     POSITION_INDEPENDENT_CODE)
      get_target_property(value ${target} ${property})
      if(NOT "${value}" STREQUAL "value-NOTFOUND")
        set_property(TARGET ${units} PROPERTY ${property} "${value}")
      endif()
    endforeach()
    if(type MATCHES "SHARED|MODULE")
      get_target_property(symbol ${target} DEFINE_SYMBOL)
      if(NOT symbol)
        string(MAKE_C_IDENTIFIER "${target}_EXPORTS" symbol)
      endif()
      set_property(TARGET ${units} APPEND PROPERTY COMPILE_DEFINITIONS ${symbol})
    endif()
    set_target_properties(${units} PROPERTIES
      C_COMPILER_LAUNCHER "${_miscast};summarize;--root;${CMAKE_SOURCE_DIR};--"
      C_CLANG_TIDY "" C_CPPCHECK "" C_CPPLINT "" C_INCLUDE_WHAT_YOU_USE "" LINK_WHAT_YOU_USE OFF
      UNITY_BUILD OFF DISABLE_PRECOMPILE_HEADERS ON INTERPROCEDURAL_OPTIMIZATION OFF
      EXPORT_COMPILE_COMMANDS OFF)
    get_target_property(made_before ${target} MANUALLY_ADDED_DEPENDENCIES)
    if(made_before)
      add_dependencies(${units} ${made_before})
    endif()
    if(waits)
      add_dependencies(${units} ${target})
    endif()
    if(TARGET miscast)
      add_dependencies(${units} miscast)
    endif()
  endif()
  set(${into} ${units} PARENT_SCOPE)
endfunction()

function(miscast_add_check)
  cmake_parse_arguments(PARSE_ARGV 0 arg "ALL" "NAME" "OPTIONS;DEPENDS")
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "miscast_add_check needs a target")
  endif()
  if(TARGET miscast)
    set(_miscast "$<TARGET_FILE:miscast>")
  else()
    find_program(MISCAST_PROGRAM miscast HINTS "${MISCAST_PROGRAM_DIR}" REQUIRED)
    set(_miscast "${MISCAST_PROGRAM}")
  endif()
  set(objects "")
  set(all_units "")
  foreach(target IN LISTS arg_UNPARSED_ARGUMENTS)
    if(NOT TARGET ${target})
      message(FATAL_ERROR "miscast_add_check: there is no target ${target}")
    endif()
    get_target_property(real ${target} ALIASED_TARGET)
    if(real)
      set(target ${real})
    endif()
    _miscast_units(units ${target})
    list(APPEND all_units ${units})
    list(APPEND objects "$<TARGET_OBJECTS:${units}>")
  endforeach()
  if(NOT arg_NAME)
    list(GET all_units 0 first)
    string(REGEX REPLACE "-units$" "" arg_NAME "${first}")
  endif()
  set(config "${CMAKE_SOURCE_DIR}/.miscast.yaml")
  if(EXISTS "${config}")
    list(APPEND arg_DEPENDS "${config}")
  endif()
  # A command line holds only a few thousand names.
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.list")
  file(GENERATE OUTPUT "${list}" CONTENT "$<JOIN:${objects},\n>\n")
  set(stamp "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.stamp")
  add_custom_command(
    OUTPUT "${stamp}"
    COMMAND "${_miscast}" link --root "${CMAKE_SOURCE_DIR}" ${arg_OPTIONS} "@${list}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS ${objects} "${list}" ${arg_DEPENDS}
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    COMMENT "Checking ${arg_NAME}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(all "")
  if(arg_ALL)
    set(all ALL)
  endif()
  add_custom_target(${arg_NAME} ${all} DEPENDS "${stamp}")
  if(NOT CMAKE_GENERATOR MATCHES "Ninja") # Ninja also knows the rules for files of other targets
    add_dependencies(${arg_NAME} ${all_units})
  endif()
endfunction()
