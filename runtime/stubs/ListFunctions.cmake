# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a line 'stub NAME' for each function that a shared library exports, or
# 'stub NAME, FUNCTION' where another name leads to it:
#   cmake -DNM=<nm> -DLIBRARY=<file> -DOUTPUT=<file> [options] -P ListFunctions.cmake
#   -DPATTERN=<regex>           only functions of these names
#   -DWITHOUT=<regex>           but these, whatever follows the name (_ptsz)
#   -DNEWEST=ON                 NAME leads to the newest NAME_v<n>, which has no own line
#   -DALSO=<name>=<function>    one more, for the library's own use
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
if(NOT PATTERN)
  set(PATTERN ".*")
endif()
set(names "")
foreach(symbol IN LISTS symbols)
  if(symbol MATCHES " T ([A-Za-z0-9_]+)")
    set(name ${CMAKE_MATCH_1})
    if(name MATCHES "^(${PATTERN})$" AND NOT (WITHOUT AND name MATCHES "^(${WITHOUT})(_pt[ds][sz])?$"))
      list(APPEND names ${name})
    endif()
  elseif(NOT symbol MATCHES " A ")
    message(FATAL_ERROR "${LIBRARY}: found '${symbol}', expected functions alone")
  endif()
endforeach()
if(names STREQUAL "")
  message(FATAL_ERROR "${LIBRARY}: found no functions")
endif()

# In ascending order, the newest comes last.
list(SORT names COMPARE NATURAL)
set(plain "")
foreach(name IN LISTS names)
  set(shown ${name})
  if(NEWEST AND name MATCHES "^(.*)_v[0-9]+(_pt[ds][sz])?$")
    set(shown ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
  endif()
  set(function_${shown} ${name})
  list(APPEND plain ${shown})
endforeach()
list(REMOVE_DUPLICATES plain)
set(functions "")
foreach(name IN LISTS plain)
  string(APPEND functions "stub ${name}, ${function_${name}}\n")
endforeach()
if(ALSO MATCHES "^(.+)=(.+)$")
  set(name ${CMAKE_MATCH_1})
  set(function ${CMAKE_MATCH_2})
  # The library's own function has the public name.
  string(REGEX REPLACE "stub [^\n]*, ${function}\n" "" functions "${functions}")
  string(APPEND functions "stub ${name}, ${function}\n")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "${functions}" @ONLY)
