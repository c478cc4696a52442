// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages exchanged in a program: the test's own, whose bytes are those of a real one.

#include "GoldenPackages.h"

#include "het/Base/File.h"
#include "het/Package/Embedded.h"
#include "het/Package/Package.h"
#include "het/Package/ProgramPackages.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace het;
using namespace het::test;

namespace {

/// An ELF file with a package in a section of data, and a table of sections at its end.
Bytes makeProgram(const Bytes &package, uint16_t type = ET_DYN) {
  const std::string names("\0.shstrtab\0.data\0", 17);
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = type;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  Elf64_Shdr sections[3] = {};
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_name = 1;
  sections[1].sh_offset = sizeof(header) + package.size();
  sections[1].sh_size = names.size();
  sections[2].sh_type = SHT_PROGBITS;
  sections[2].sh_name = 11;
  sections[2].sh_offset = sizeof(header);
  sections[2].sh_size = package.size();
  header.e_shoff = sections[1].sh_offset + names.size();
  Bytes file(reinterpret_cast<uint8_t *>(&header),
             reinterpret_cast<uint8_t *>(&header + 1));
  file.insert(file.end(), package.begin(), package.end());
  file.insert(file.end(), names.begin(), names.end());
  file.insert(file.end(), reinterpret_cast<uint8_t *>(sections),
              reinterpret_cast<uint8_t *>(sections + 3));
  return file;
}

Result<Bytes> exchangeAll(const Bytes &program, const Bytes &package) {
  std::vector<PackageExchange> exchanges;
  for (const EmbeddedPackage &one : findPackages(program, "program").packages)
    exchanges.push_back({one.offset, one.bytes, package});
  EXPECT_FALSE(exchanges.empty());
  return exchangePackages(program, exchanges, "program");
}

/// A file of the test's own.
class TemporaryFile {
public:
  explicit TemporaryFile(const Bytes &contents) {
    const int file = mkstemp(path.data());
    EXPECT_GE(file, 0);
    close(file);
    EXPECT_TRUE(writeFileAtomically(path, contents).ok());
  }
  ~TemporaryFile() { unlink(path.c_str()); }
  std::string path = testing::TempDir() + "/program.XXXXXX";
};

/// What the record in the old place of a package leads to.
Result<Bytes> readThrough(const Bytes &program) {
  const ByteView record = *ByteView(program).slice(sizeof(Elf64_Ehdr), 64);
  EXPECT_TRUE(hasSectionReferenceMagic(record));
  return readReferencedPackage(record.data, TemporaryFile(program).path);
}

} // namespace

TEST(ProgramPackages, TheNewPackageIsFound) {
  const Bytes before = goldenPlain().bytes, after = goldenPrecompiled().bytes;
  Result<Bytes> program = exchangeAll(makeProgram(before), after);
  ASSERT_TRUE(program.ok()) << program.status().text();
  EmbeddedPackages found = findPackages(*program, "program");
  ASSERT_EQ(found.packages.size(), 1u) << "the old one is gone";
  EXPECT_TRUE(sameBytes(found.packages[0].bytes, after));
  Result<Bytes> read = readThrough(*program);
  ASSERT_TRUE(read.ok()) << read.status().text();
  EXPECT_EQ(*read, after);
}

/// Again and again, and the file does not grow by what is there no more.
TEST(ProgramPackages, AreExchangedAgain) {
  const Bytes first = goldenPrecompiled().bytes, second = goldenPages().bytes;
  Result<Bytes> once = exchangeAll(makeProgram(goldenPlain().bytes), first);
  ASSERT_TRUE(once.ok());
  Result<Bytes> twice = exchangeAll(*once, second);
  ASSERT_TRUE(twice.ok()) << twice.status().text();
  EXPECT_EQ(*readThrough(*twice), second);
  Result<Bytes> back = exchangeAll(*twice, first);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, *once);
}

TEST(ProgramPackages, OthersAreRefused) {
  const Bytes package = goldenPlain().bytes;
  Bytes noTable = makeProgram(package);
  std::memset(noTable.data() + offsetof(Elf64_Ehdr, e_shnum), 0, 2);
  struct {
    Bytes file;
    const char *part;
  } files[] = {{makeProgram(package, ET_REL), "found an object, expected"},
               {noTable, "found no table of sections"},
               {package, "found no ELF file"}};
  for (const auto &[file, part] : files) {
    Result<Bytes> program = exchangeAll(file, package);
    ASSERT_FALSE(program.ok());
    EXPECT_NE(program.status().text().find(part), std::string::npos)
        << program.status().text();
  }
}

/// Tables of sections that lie.
TEST(ProgramPackages, HostileTables) {
  const Bytes good =
      *exchangeAll(makeProgram(goldenPlain().bytes), goldenPrecompiled().bytes);
  Elf64_Ehdr header;
  std::memcpy(&header, good.data(), sizeof(header));
  for (size_t i = 0; i < sizeof(header); ++i)
    for (uint8_t value : {0x00, 0x7f, 0xff}) {
      Bytes bytes = good;
      bytes[i] = value;
      (void)exchangeAll(bytes, goldenPages().bytes);
      (void)readThrough(bytes);
    }
  for (size_t i = static_cast<size_t>(header.e_shoff); i < good.size(); ++i) {
    Bytes bytes = good;
    bytes[i] ^= 0xff;
    (void)exchangeAll(bytes, goldenPages().bytes);
    (void)readThrough(bytes);
  }
}

TEST(ProgramPackages, APackageThatWasStrippedIsNamed) {
  const Bytes program =
      *exchangeAll(makeProgram(goldenPlain().bytes), goldenPrecompiled().bytes);
  const Bytes other = makeProgram(goldenPlain().bytes);
  const ByteView record = *ByteView(program).slice(sizeof(Elf64_Ehdr), 64);
  Result<Bytes> read = readReferencedPackage(record.data, TemporaryFile(other).path);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.status().text().find("strip it only before it is precompiled"),
            std::string::npos)
      << read.status().text();
}
