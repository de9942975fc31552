# miscast_target(NAME): the compile options of all our targets.
function(miscast_target name)
  target_compile_features(${name} PRIVATE c_std_17)
  set_target_properties(${name} PROPERTIES C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden)
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  # Contracting a * b + c into one rounding would make results depend on the compiler.
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -ffp-contract=off)
  if(MISCAST_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  if(MISCAST_SANITIZE)
    set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_compile_options(${name} PRIVATE ${sanitize} -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC ${sanitize})
    get_target_property(type ${name} TYPE)
    if(type STREQUAL EXECUTABLE AND NOT MISCAST_FUZZ)
      if(NOT TARGET sanitizer_options)
        add_library(sanitizer_options OBJECT "${PROJECT_SOURCE_DIR}/cmake/sanitizer_options.c")
      endif()
      target_sources(${name} PRIVATE $<TARGET_OBJECTS:sanitizer_options>)
    endif()
    if(MISCAST_FUZZ)
      # libFuzzer follows which branches are taken. Tracing comparisons would cost a sixth of the time,
      # and our mutators know the words.
      target_compile_options(${name} PRIVATE -fsanitize=fuzzer-no-link
                                             -fno-sanitize-coverage=trace-cmp)
    endif()
  endif()
endfunction()
