// A shared library, loaded for itself alone as plugins are.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include <dlfcn.h>

namespace libraries
{
class library
{
public:
  explicit library(const std::string& file)
      : file_(file)
      , handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
  {
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~library()
  {
    if (handle_)
    {
      close();
    }
  }
  library(const library&)            = delete;
  library& operator=(const library&) = delete;

  template <class Function>
  Function* function(const char* name) const
  {
    void* const found = handle_ ? dlsym(handle_, name) : nullptr;
    EXPECT_NE(found, nullptr) << name;
    return reinterpret_cast<Function*>(found);
  }

  void close()
  {
    EXPECT_EQ(dlclose(handle_), 0) << dlerror();
    handle_ = nullptr;
  }

  // One that others use, or that has a symbol which the linker makes one for the whole process, stays.
  bool is_still_there() const
  {
    return dlopen(file_.c_str(), RTLD_NOLOAD | RTLD_NOW) != nullptr;
  }

private:
  std::string file_;
  void* handle_;
};
} // namespace libraries
