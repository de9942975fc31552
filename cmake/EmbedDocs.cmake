# Writes OUT: a C file with every Markdown file of FOLDER as text, rule_doc_NAME; or other files, with
# another PREFIX.
if(NOT DEFINED PREFIX)
  set(PREFIX rule_doc_)
  set(PATTERN "*.md")
endif()
file(GLOB docs "${FOLDER}/${PATTERN}")
list(SORT docs)
set(code "/* Made from files of text. */\n")
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
