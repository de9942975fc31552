# Run at the end of an installation: links in the installed documentation lead to files that are
# installed, too. Those to folders that are elsewhere in the source get their installed place; a link to
# anything else of the source becomes its text.
#
#   docs   the folder with README.md and docs/
#   moved  pairs: a folder of the source, and where its files are installed, relative to docs

# Where a target that README.md could have is now; empty: nowhere.
function(installed_place target out)
  set(pairs "${moved}")
  set(place "${target}")
  while(pairs)
    list(POP_FRONT pairs from to)
    if(target MATCHES "^${from}(/.*)?$")
      set(place "${to}${CMAKE_MATCH_1}")
    endif()
  endwhile()
  if(NOT EXISTS "${docs}/${place}")
    set(place "")
  endif()
  set(${out} "${place}" PARENT_SCOPE)
endfunction()

# target: as the page writes it; top: from the page to docs.
function(fix_link text target top out)
  string(REGEX REPLACE "^\\.\\./" "" target_from_top "${target}")
  installed_place("${target_from_top}" place)
  string(REGEX REPLACE "([.+*?()^$|])" "\\\\\\1" pattern "${target}")
  if(place)
    string(REGEX REPLACE "\\]\\(${pattern}([)#])" "](${top}${place}\\1" text "${text}")
  else()
    string(REGEX REPLACE "\\[([^]\n]*)\\]\\(${pattern}(#[^)]*)?\\)" "\\1" text "${text}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(fix_page page top)
  file(READ "${page}" text)
  get_filename_component(folder "${page}" DIRECTORY)
  set(rest "${text}")
  while(rest MATCHES "\\]\\(([^):# ]+)[)#](.*)$")
    set(target "${CMAKE_MATCH_1}")
    set(rest "${CMAKE_MATCH_2}")
    if(NOT EXISTS "${folder}/${target}")
      fix_link("${text}" "${target}" "${top}" text)
    endif()
  endwhile()
  file(WRITE "${page}" "${text}")
endfunction()

fix_page("${docs}/README.md" "")
file(GLOB pages "${docs}/docs/*.md")
foreach(page IN LISTS pages)
  fix_page("${page}" "../")
endforeach()
