// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds OpenGL's functions, and copies buffers. A copy goes through a buffer of the
// runtime's own: so it is one whatever the program's was made for, mapped or immutable.

#include "OpenGL.h"
#include "../Errors.h"
#include "OpenGLConstants.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace het::cuda {

namespace {

using Procedure = void (*)();

/// A way for a program to get a context.
struct WindowSystem {
  const char *libraries[2]; ///< The first one that is loaded counts.
  const char *getContext;
  const char *getProcedure;
};

constexpr WindowSystem windowSystems[] = {
    {{"libEGL.so.1", nullptr}, "eglGetCurrentContext", "eglGetProcAddress"},
    {{"libGLX.so.0", "libGL.so.1"}, "glXGetCurrentContext", "glXGetProcAddressARB"},
    {{"libOSMesa.so.8", nullptr}, "OSMesaGetCurrentContext", "OSMesaGetProcAddress"},
};

/// Finds a function of a window system in what the process has loaded: for all to see, or
/// for some of its libraries alone.
void *lookUp(const WindowSystem &system, const char *name) {
  if (void *found = dlsym(RTLD_DEFAULT, name))
    return found;
  for (const char *library : system.libraries)
    if (void *handle = library ? dlopen(library, RTLD_LAZY | RTLD_NOLOAD) : nullptr) {
      void *found = dlsym(handle, name);
      dlclose(handle); // the program has it open
      if (found)
        return found;
    }
  return nullptr;
}

/// What the context's OpenGL calls itself.
struct Version {
  explicit Version(const char *text) {
    isES = std::strncmp(text, "OpenGL ES", 9) == 0;
    std::sscanf(isES ? text + 9 : text, isES ? "%*[^0-9]%u.%u" : "%u.%u", &major, &minor);
  }
  bool isAtLeast(unsigned otherMajor, unsigned otherMinor) const {
    return major > otherMajor || (major == otherMajor && minor >= otherMinor);
  }

  bool isES = false;
  unsigned major = 0, minor = 0;
};

} // namespace

cudaError_t OpenGL::current(OpenGL &result) {
  using GetProcedure = Procedure (*)(const char *);
  bool hasLibrary = false;
  GetProcedure get = nullptr;
  for (const WindowSystem &system : windowSystems) {
    auto getContext = reinterpret_cast<void *(*)()>(lookUp(system, system.getContext));
    hasLibrary |= getContext != nullptr;
    if (getContext && getContext()) {
      get = reinterpret_cast<GetProcedure>(lookUp(system, system.getProcedure));
      break;
    }
  }
  if (!hasLibrary)
    return translate(unavailable("OpenGL: the process has loaded none of EGL, GLX and "
                                 "OSMesa"),
                     cudaErrorOperatingSystem);
  if (!get)
    return translate(unavailable("OpenGL: the calling thread has no current context"),
                     cudaErrorInvalidGraphicsContext);
#define HET_GL_BUFFER(type, name, parameters)                                            \
  result.name = reinterpret_cast<type(*) parameters>(get(#name));
#define HET_GL_IMAGE(type, name, parameters) HET_GL_BUFFER(type, name, parameters)
#include "OpenGLFunctions.def"
  const unsigned char *text =
      result.glGetString ? result.glGetString(gl::version) : nullptr;
  const char *name = text ? reinterpret_cast<const char *>(text) : "none";
  const Version version(name);
  if (!version.isAtLeast(3, version.isES ? 0 : 2))
    return translate(unsupported("sharing with OpenGL: found version " +
                                 std::string(name) +
                                 ", expected 3.2 or later, or OpenGL ES 3.0 or later"));
  result.hasImages = !version.isES && (version.isAtLeast(4, 5) ||
                                       result.hasExtension("GL_ARB_direct_state_access"));
  return cudaSuccess;
}

bool OpenGL::hasExtension(const char *name) const {
  int count = 0;
  glGetIntegerv(gl::numExtensions, &count);
  for (int index = 0; index < count; ++index) {
    const unsigned char *found =
        glGetStringi(gl::extensions, static_cast<unsigned>(index));
    if (found && std::strcmp(reinterpret_cast<const char *>(found), name) == 0)
      return true;
  }
  return false;
}

/// Binds a buffer until the end of its scope.
class OpenGL::Binding {
public:
  Binding(const OpenGL &gl, unsigned target, unsigned query, unsigned buffer)
      : gl(gl), target(target) {
    gl.glGetIntegerv(query, &before);
    gl.glBindBuffer(target, buffer);
  }
  /// Of a target that is its own query.
  Binding(const OpenGL &gl, unsigned target, unsigned buffer)
      : Binding(gl, target, target, buffer) {}
  ~Binding() { gl.glBindBuffer(target, static_cast<unsigned>(before)); }
  Binding(const Binding &) = delete;
  Binding &operator=(const Binding &) = delete;

private:
  const OpenGL &gl;
  const unsigned target;
  int before = 0;
};

GLObject OpenGL::makeBuffer() const {
  unsigned name = 0;
  glGenBuffers(1, &name);
  return {name, glDeleteBuffers};
}

cudaError_t OpenGL::sizeOf(unsigned buffer, size_t &size) const {
  if (!glIsBuffer(buffer))
    return translate(invalid("OpenGL buffer " + std::to_string(buffer) +
                             ": the current context has none of that name"));
  Binding bound(*this, gl::copyReadBuffer, buffer);
  int64_t bytes = 0, isMapped = 0, access = 0;
  glGetBufferParameteri64v(gl::copyReadBuffer, gl::bufferSize, &bytes);
  glGetBufferParameteri64v(gl::copyReadBuffer, gl::bufferMapped, &isMapped);
  if (isMapped)
    glGetBufferParameteri64v(gl::copyReadBuffer, gl::bufferAccessFlags, &access);
  if (bytes <= 0 || (isMapped && !(access & gl::mapPersistent)))
    return translate(invalid("OpenGL buffer " + std::to_string(buffer) +
                             (isMapped ? ": it is mapped by OpenGL" : ": it is empty")));
  size = static_cast<size_t>(bytes);
  return cudaSuccess;
}

cudaError_t OpenGL::read(unsigned buffer, size_t size, const Read &use) const {
  const auto bytes = static_cast<intptr_t>(size);
  const GLObject own = makeBuffer();
  Binding from(*this, gl::copyReadBuffer, buffer), to(*this, gl::copyWriteBuffer, own);
  glBufferData(gl::copyWriteBuffer, bytes, nullptr, gl::streamRead);
  glCopyBufferSubData(gl::copyReadBuffer, gl::copyWriteBuffer, 0, 0, bytes);
  const void *content = glMapBufferRange(gl::copyWriteBuffer, 0, bytes, gl::mapRead);
  if (!content)
    return cudaErrorMapBufferObjectFailed;
  cudaError_t error = use(content);
  glUnmapBuffer(gl::copyWriteBuffer);
  return error;
}

cudaError_t OpenGL::write(unsigned buffer, size_t size, const Write &fill) const {
  const auto bytes = static_cast<intptr_t>(size);
  const GLObject own = makeBuffer();
  Binding from(*this, gl::copyReadBuffer, own), to(*this, gl::copyWriteBuffer, buffer);
  glBufferData(gl::copyReadBuffer, bytes, nullptr, gl::streamDraw);
  void *content = glMapBufferRange(gl::copyReadBuffer, 0, bytes, gl::mapWrite);
  if (!content)
    return cudaErrorUnmapBufferObjectFailed;
  cudaError_t error = fill(content);
  if (!glUnmapBuffer(gl::copyReadBuffer) && !error)
    error = cudaErrorUnmapBufferObjectFailed; // the content was lost
  if (!error)
    glCopyBufferSubData(gl::copyReadBuffer, gl::copyWriteBuffer, 0, 0, bytes);
  return error;
}

} // namespace het::cuda
