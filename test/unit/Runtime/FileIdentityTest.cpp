// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds of a file are told apart also where an installation gives all files one size and
// one time.

#include "core/code/FileIdentity.h"

#include "het/Base/File.h"

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace het;
using namespace het::core;
namespace fs = std::filesystem;

namespace {

class FileIdentityTest : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/het-identity-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    path = std::string(name) + "/file";
  }
  void TearDown() override { fs::remove_all(fs::path(path).parent_path()); }

  /// All files have one time.
  void write(const Bytes &bytes) const {
    ASSERT_TRUE(writeFileAtomically(path, bytes).ok());
    fs::last_write_time(path, fs::file_time_type() + std::chrono::hours(1));
  }
  std::string library(const Bytes &bytes) const {
    write(bytes);
    return identityOfLibrary(path);
  }
  std::string contents(const Bytes &bytes) const {
    write(bytes);
    return identityOfContents(path);
  }

  std::string path;
};

template <typename T> void append(Bytes &bytes, const T &part) {
  const auto *data = reinterpret_cast<const uint8_t *>(&part);
  bytes.insert(bytes.end(), data, data + sizeof(part));
}

/// A shared object that is little but its build ID.
Bytes libraryWith(uint8_t id, uint8_t code = 0) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof(header);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  Elf64_Phdr segment = {};
  segment.p_type = PT_NOTE;
  segment.p_offset = sizeof(header) + sizeof(segment);
  segment.p_filesz = sizeof(Elf64_Nhdr) + 4 + 20;
  segment.p_align = 4;
  const Elf64_Nhdr note = {4, 20, NT_GNU_BUILD_ID};
  Bytes bytes;
  append(bytes, header);
  append(bytes, segment);
  append(bytes, note);
  append(bytes, "GNU");
  bytes.insert(bytes.end(), 20, id);
  bytes.insert(bytes.end(), 100, code);
  return bytes;
}

TEST_F(FileIdentityTest, BuildIdsTellLibrariesApart) {
  const std::string one = library(libraryWith(1));
  EXPECT_NE(one, library(libraryWith(2)));
  EXPECT_EQ(one, library(libraryWith(1))) << "the same build, installed again";
}

TEST_F(FileIdentityTest, ContentsTellFilesApart) {
  const std::string one = contents(Bytes(100, 1));
  EXPECT_NE(one, contents(Bytes(100, 2)));
  EXPECT_EQ(one, contents(Bytes(100, 1)));
}

TEST_F(FileIdentityTest, WhatHasNoBuildIdHasAnIdentity) {
  EXPECT_NE(library(Bytes(100, 1)), library(Bytes(101, 1)));
  EXPECT_EQ(identityOfLibrary(path + ".none"), "none");
  EXPECT_EQ(identityOfContents(path + ".none"), "none");
}

TEST_F(FileIdentityTest, DamagedLibrariesAreRead) {
  const Bytes whole = libraryWith(1);
  for (size_t size = 0; size < whole.size(); size += 3)
    EXPECT_NE(library(Bytes(whole.begin(), whole.begin() + size)), "none");
  for (size_t at = 0; at < sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 16; ++at)
    for (uint8_t value : {0x00, 0x7f, 0xff}) {
      Bytes bytes = whole;
      bytes[at] = value;
      EXPECT_NE(library(bytes), "none");
    }
}

} // namespace
