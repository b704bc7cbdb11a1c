# find_package(sgemm) gives the target sgemm::sgemm.
get_filename_component(_sgemm_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET sgemm::sgemm)
  add_library(sgemm::sgemm SHARED IMPORTED)
  set_target_properties(sgemm::sgemm PROPERTIES
    IMPORTED_LOCATION "${_sgemm_prefix}/lib/libsgemm.so"
    INTERFACE_INCLUDE_DIRECTORIES "${_sgemm_prefix}/include")
endif()
