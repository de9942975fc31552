# A Debian package: `cpack` in a build folder, or ./dev package, which uses Debian's paths.
# MiscastDebian.cmake adds what Debian requires. dpkg-shlibdeps finds linked libraries; libclang is
# loaded at run time, so it has to be listed as a dependency.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME miscast)
set(CPACK_PACKAGE_VENDOR "the miscast authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "linter for the dtypes and devices of tensors in C model code")
set(CPACK_PACKAGE_DESCRIPTION
"miscast infers the dtype and device of every tensor in C model code, reports
where they do not fit and where that began, and tries to confirm each finding
by running it. The package includes the runtime: tensors for C, with PyTorch's
names and PyTorch's behaviour, on the CPU and on a simulated GPU.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/MiscastDebian.cmake")

# The maintainer is set as for Debian's own tools.
set(CPACK_PACKAGE_CONTACT "the miscast authors <miscast@example.org>")
if(DEFINED ENV{DEBEMAIL})
  set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libclang1-19, libclang-common-19-dev, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "gcc | c-compiler, libopenblas-dev, git")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, graphviz, pkg-config")
include(CPack)
