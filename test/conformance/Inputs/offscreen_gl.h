// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context of OpenGL without a window, for tests of what is shared with it: by EGL's
// surfaceless platform or, where there is none, for its first device. EGL is looked for
// when the test runs. Functions are called by name: gl.call("glBindBuffer", 0x8892u,
// name).

#ifndef CONFORMANCE_OFFSCREEN_GL_H
#define CONFORMANCE_OFFSCREEN_GL_H

#include <dlfcn.h>

class OffscreenGL {
public:
  enum Kind { Compatibility, Core, ES, ES1 };

  explicit OffscreenGL(Kind kind = Core) { reason = open(kind); }
  ~OffscreenGL() {
    if (!context)
      return;
    makeCurrent(nullptr);
    egl<unsigned>("eglDestroyContext", display, context);
  }
  OffscreenGL(const OffscreenGL &) = delete;
  OffscreenGL &operator=(const OffscreenGL &) = delete;

  // Why there is no context; null if there is one, which is current.
  const char *lack() const { return reason; }

  // Makes the context the calling thread's, or none.
  void leave() { makeCurrent(nullptr); }
  void enter() { makeCurrent(context); }

  template <class Result = void, class... Types>
  Result call(const char *name, Types... arguments) {
    return reinterpret_cast<Result (*)(Types...)>(getProcedure(name))(arguments...);
  }

private:
  template <class Result, class... Types>
  Result egl(const char *name, Types... arguments) {
    return reinterpret_cast<Result (*)(Types...)>(dlsym(library, name))(arguments...);
  }
  void makeCurrent(void *which) {
    void *const none = nullptr;
    egl<unsigned>("eglMakeCurrent", display, none, none, which);
  }
  void *platformDisplay(unsigned platform, void *native) {
    void *get = getProcedure("eglGetPlatformDisplayEXT");
    const int *const attributes = nullptr;
    return get ? reinterpret_cast<void *(*)(unsigned, void *, const int *)>(get)(
                     platform, native, attributes)
               : nullptr;
  }
  bool initialise(void *which) {
    int major = 0, minor = 0;
    display = which;
    return display && egl<unsigned>("eglInitialize", display, &major, &minor);
  }
  bool openDevice() {
    void *query = getProcedure("eglQueryDevicesEXT"), *device = nullptr;
    int count = 0;
    return query &&
           reinterpret_cast<unsigned (*)(int, void **, int *)>(query)(1, &device,
                                                                      &count) &&
           count && initialise(platformDisplay(0x313F, device));
  }
  const char *open(Kind kind) {
    library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return "no libEGL.so.1";
    getProcedure =
        reinterpret_cast<void *(*)(const char *)>(dlsym(library, "eglGetProcAddress"));
    if (!initialise(platformDisplay(0x31DD, nullptr)) && !openDevice())
      return "EGL has no display without a window system";
    if (!egl<unsigned>("eglBindAPI", kind >= ES ? 0x30A0u : 0x30A2u))
      return "EGL has no such kind of OpenGL";
    // Major and minor version; from 3.2 on the profile is the core one.
    const int attributes[] = {0x3098, kind == ES1 ? 1 : 3, 0x30FB, kind == Core ? 2 : 0,
                              0x3038};
    void *const none = nullptr;
    context = egl<void *>("eglCreateContext", display, none, none,
                          static_cast<const int *>(attributes));
    if (!context)
      return "EGL makes no context";
    makeCurrent(context);
    return nullptr;
  }

  const char *reason = nullptr;
  void *library = nullptr; // stays open
  void *(*getProcedure)(const char *) = nullptr;
  void *display = nullptr, *context = nullptr;
};

#endif // CONFORMANCE_OFFSCREEN_GL_H
