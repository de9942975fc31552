# Renames every global symbol of a static library that is not part of its API, so that a program may
# define functions of the same names. Run after each build of the archive:
#     cmake -DARCHIVE=libmiscast.a -DNM=nm -DOBJCOPY=objcopy -P PrivateSymbols.cmake
#
# Renaming keeps one member per source file, so a program still links only what it uses; joining all
# of them into one object with local symbols would not.
set(prefix miscast_private_)

execute_process(COMMAND "${NM}" -P -g --defined-only "${ARCHIVE}"
                OUTPUT_VARIABLE symbols RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${NM} cannot read ${ARCHIVE}: ${status}")
endif()
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
set(renames)
foreach(symbol IN LISTS symbols)
  # "name type value size"; member headings have no type. Names in "__" are the compiler's; of those,
  # only the ones that the address sanitizer derives from ours could clash.
  if(symbol MATCHES "^[A-Za-z_][^ ]* [A-Za-z]( |$)" AND
     (NOT symbol MATCHES "^(mc_|${prefix}|__)" OR symbol MATCHES "^__odr_asan"))
    string(REGEX REPLACE " .*" "" name "${symbol}")
    list(APPEND renames "${name} ${prefix}${name}")
  endif()
endforeach()
if(NOT renames)
  return()
endif()
list(REMOVE_DUPLICATES renames)
list(JOIN renames "\n" renames)
file(WRITE "${ARCHIVE}.renames" "${renames}\n")
execute_process(COMMAND "${OBJCOPY}" "--redefine-syms=${ARCHIVE}.renames" "${ARCHIVE}"
                RESULT_VARIABLE status)
file(REMOVE "${ARCHIVE}.renames")
if(NOT status EQUAL 0)
  file(REMOVE "${ARCHIVE}") # otherwise the next build would use it as it is
  message(FATAL_ERROR "${OBJCOPY} cannot rename symbols in ${ARCHIVE}: ${status}")
endif()
