# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a line 'stub NAME' for each function that a shared library exports:
#   cmake -DNM=<nm> -DLIBRARY=<file> -DOUTPUT=<file> -P ListFunctions.cmake
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
set(functions "")
foreach(symbol IN LISTS symbols)
  if(symbol MATCHES " T ([A-Za-z0-9_]+)")
    string(APPEND functions "stub ${CMAKE_MATCH_1}\n")
  elseif(NOT symbol MATCHES " A ")
    message(FATAL_ERROR "${LIBRARY}: found '${symbol}', expected functions alone")
  endif()
endforeach()
if(functions STREQUAL "")
  message(FATAL_ERROR "${LIBRARY}: found no functions")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${functions}" @ONLY)
