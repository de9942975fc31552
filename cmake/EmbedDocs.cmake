# Writes OUT: a C file with every Markdown file in FOLDER as a string, rule_doc_NAME; with PREFIX and
# PATTERN, other files under other names.
if(NOT DEFINED PREFIX)
  set(PREFIX rule_doc_)
  set(PATTERN "*.md")
endif()
file(GLOB docs "${FOLDER}/${PATTERN}")
list(SORT docs)
set(code "/* Generated from text files. */\n")
foreach(doc IN LISTS docs)
  cmake_path(GET doc STEM name)
  string(REPLACE "-" "_" id "${name}")
  file(READ "${doc}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "(char)0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((\\(char\\)0x..,)(\\(char\\)0x..,)(\\(char\\)0x..,)(\\(char\\)0x..,)(\\(char\\)0x..,)(\\(char\\)0x..,)(\\(char\\)0x..,))"
                       "\\1\n" bytes "${bytes}")
  string(APPEND code "extern const char ${PREFIX}${id}[];\nconst char ${PREFIX}${id}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE "${OUT}" "${code}")
