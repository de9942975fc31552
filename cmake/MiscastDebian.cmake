# Run by CPack in the folder that becomes the package: adds what Debian requires. Compresses the
# manual, strips the static library, and adds a changelog and the copyright file.
find_program(gzip_program gzip REQUIRED)
find_program(strip_program strip REQUIRED)
set(root "${CPACK_TEMPORARY_INSTALL_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX}")
set(documents "${root}/share/doc/${CPACK_PACKAGE_NAME}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# -n: no time stamps, so that the package is reproducible
function(pack)
  run("${gzip_program}" -9nf ${ARGN})
endfunction()

file(GLOB_RECURSE archives "${root}/lib/*.a")
foreach(archive IN LISTS archives)
  run("${strip_program}" --strip-debug --remove-section=.comment --enable-deterministic-archives
      "${archive}")
endforeach()
file(GLOB manuals "${root}/share/man/man1/*.1")
pack(${manuals})

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # honours SOURCE_DATE_EPOCH
file(WRITE "${documents}/changelog" "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
pack("${documents}/changelog")

file(READ "${CMAKE_CURRENT_LIST_DIR}/../LICENSE" licence)
file(WRITE "${documents}/copyright" "${licence}")
file(CHMOD "${documents}/changelog.gz" "${documents}/copyright"
     FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
