// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Policies as they are written, and notes about devices.

#include "MigrationTest.h"

#include "migration/control/Control.h"
#include "migration/control/Leases.h"
#include "migration/control/Policy.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace het;
using namespace het::core;

namespace {

TEST(PolicyTest, IsRead) {
  auto policy = Policy::parse("p", "# where to be\n devices = ptx:0 , host,host\n\n"
                                   "priority=3\nlost = fail\n");
  ASSERT_TRUE(policy.ok()) << policy.status().text();
  EXPECT_EQ(policy->devices, (std::vector<std::string>{"ptx:0", "host", "host#2"}));
  EXPECT_EQ(policy->priority, 3u);
  EXPECT_FALSE(policy->resumesLost);
  auto again = Policy::parse("p", policy->text());
  ASSERT_TRUE(again.ok()) << again.status().text();
  EXPECT_EQ(again->text(), policy->text());
  EXPECT_EQ(again->devices, policy->devices);
  EXPECT_TRUE(Policy::parse("p", "devices=host")->resumesLost);
}

TEST(PolicyTest, NamesWhatIsWrong) {
  const std::pair<const char *, const char *> texts[] = {
      {"", "no devices"},
      {"priority=1", "no devices"},
      {"devices", "'devices'"},
      {"devices=", "the device ''"},
      {"devices=host,,host", "the device ''"},
      {"devices=Host", "the device 'Host'"},
      {"devices=host#2", "the device 'host#2'"},
      {"devices=host;devices=host", "'devices' twice"},
      {"devices=host;priority=-1", "priority = '-1'"},
      {"devices=host;priority=9999999", "priority = '9999999'"},
      {"devices=host;lost=maybe", "lost = 'maybe'"},
      {"devices=host;colour=red", "'colour=red'"}};
  for (auto [text, message] : texts) {
    auto policy = Policy::parse("policy.txt", text);
    ASSERT_FALSE(policy.ok()) << text;
    EXPECT_NE(policy.status().text().find(std::string("policy.txt: found ") + message),
              std::string::npos)
        << policy.status().text();
  }
}

class NotesTest : public MigrationTest {
protected:
  static bool isDrained(const std::string &device) {
    const notes::All all = notes::read();
    return std::count(all.drained.begin(), all.drained.end(), device);
  }
  std::string ask(const std::string &line) {
    Result<std::string> answer = control::ask(getpid(), line);
    return answer.ok() ? *answer : "error: " + answer.status().text();
  }
};

TEST_F(NotesTest, DevicesHaveOneName) {
  EXPECT_EQ(notes::deviceOf("host"), "host:0");
  EXPECT_EQ(notes::deviceOf("host#3"), "host:0");
  EXPECT_EQ(notes::deviceOf("ptx:1#2"), "ptx:1");
}

TEST_F(NotesTest, Drained) {
  EXPECT_FALSE(isDrained("ptx:3"));
  EXPECT_OK(notes::drain("ptx:3"));
  EXPECT_TRUE(isDrained("ptx:3"));
  EXPECT_TRUE(*notes::undrain("ptx:3"));
  EXPECT_FALSE(*notes::undrain("ptx:3"));
  EXPECT_FALSE(isDrained("ptx:3"));
  for (const char *bad : {"", "../x", "a/b", "PTX:0", "host\n"})
    EXPECT_FALSE(notes::drain(bad).ok()) << bad;
}

TEST_F(NotesTest, WantedByWhoIsThere) {
  EXPECT_OK(notes::want("host", 5));
  EXPECT_TRUE(notes::read().wanted.empty()) << "its own";
  notes::wantNoMore("host");
  const std::string folder = control::folder();
  auto put = [&](const std::string &name) { std::ofstream(folder + "/" + name); };
  put("wanted.host:0.1.7"); // a process that is there as long as the machine
  put("wanted.host:0.999999999.8");
  put("wanted.host:0.x.8");
  put("wanted.8");
  put("wanted.");
  const notes::All all = notes::read();
  ASSERT_EQ(all.wanted.size(), 1u);
  EXPECT_EQ(all.wanted[0].device, "host:0");
  EXPECT_EQ(all.wanted[0].process, 1);
  EXPECT_EQ(all.wanted[0].priority, 7u);
  EXPECT_FALSE(std::filesystem::exists(folder + "/wanted.host:0.999999999.8"));
  for (const char *name : {"host:0.1.7", "host:0.x.8", "8", ""})
    std::filesystem::remove(folder + "/wanted." + name);
}

TEST_F(NotesTest, AProgramWithoutAPolicyThatCanNotLeave) {
  // Its only other place would be the host, where it is.
  EXPECT_OK(notes::drain("host"));
  EXPECT_NE(ask("reconsider").find("stays on host, though host:0 is drained"),
            std::string::npos);
  EXPECT_TRUE(*notes::undrain("host"));
}

TEST_F(NotesTest, AProgramWithoutAPolicyComesBack) {
  EXPECT_TRUE(move("apart").moved); // not by hand: nobody said that it is to be there
  EXPECT_OK(notes::drain("apart"));
  EXPECT_EQ(ask("reconsider"), "apart:0 is drained\n");
  EXPECT_EQ(migratable().active().name(), "host");
  EXPECT_TRUE(*notes::undrain("apart"));
  EXPECT_NE(ask("move apart").find("host -> apart"), std::string::npos);
  EXPECT_EQ(ask("reconsider"), "moved by hand\n");
  EXPECT_EQ(migratable().active().name(), "apart");
}

} // namespace
