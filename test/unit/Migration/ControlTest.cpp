// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The socket of a movable process: this one's own.

#include "Eventually.h"
#include "MigrationTest.h"

#include "migration/control/Control.h"
#include "migration/control/ControlServer.h"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace het;
using namespace het::core;

namespace {

class ControlTest : public MigrationTest {
protected:
  std::string ask(const std::string &line) {
    Result<std::string> answer = control::ask(getpid(), line);
    return answer.ok() ? *answer : "error: " + answer.status().text();
  }

  /// What is answered to these bytes, whatever they are.
  std::string send(const std::string &bytes, bool close = false) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, control::socketOf(control::folder(), getpid()).c_str());
    const int file = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(connect(file, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
    EXPECT_GE(::send(file, bytes.data(), bytes.size(), MSG_NOSIGNAL), 0);
    std::string answer;
    char piece[100];
    for (ssize_t size; !close && (size = recv(file, piece, sizeof(piece), 0)) > 0;)
      answer.append(piece, size);
    ::close(file);
    return answer;
  }

  /// A socket that listens in the place of another process's, and answers nothing.
  int listenFor(pid_t process) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, control::socketOf(control::folder(), process).c_str());
    const int file = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(bind(file, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
    EXPECT_EQ(listen(file, 1), 0);
    return file;
  }

  mode_t modeOf(const std::string &path) {
    struct stat info = {};
    EXPECT_EQ(lstat(path.c_str(), &info), 0) << path;
    return info.st_mode & 0777;
  }
};

TEST_F(ControlTest, SaysWhereTheDeviceIs) {
  EXPECT_NE(ask("status").find("\thost\thost\trunning\t"), std::string::npos);
  EXPECT_NE(ask("move host#2").find("host -> host#2: "), std::string::npos);
  EXPECT_NE(ask("status").find("\thost\thost#2\trunning\t0\tmoved by hand\n"),
            std::string::npos);
  EXPECT_EQ(ask("pause"), "");
  EXPECT_NE(ask("status").find("\thost\thost#2\tpaused\t0\tit was paused\n"),
            std::string::npos);
  EXPECT_NE(ask("pause").find("is paused already"), std::string::npos);
  EXPECT_EQ(ask("resume"), "");
  EXPECT_NE(ask("resume").find("is not paused"), std::string::npos);
}

TEST_F(ControlTest, IsForItsUserOnly) {
  EXPECT_EQ(modeOf(control::folder()), 0700u);
  EXPECT_EQ(modeOf(control::socketOf(control::folder(), getpid())), 0600u);
  EXPECT_EQ(control::processes(), std::vector<pid_t>{getpid()});
}

TEST_F(ControlTest, AnswersAnything) {
  const char *const wrong = "error: found ";
  for (const std::string &line :
       {std::string("\n"), std::string("frob\n"), std::string("move\n"),
        std::string("move \n"), std::string("move ../../x\n"), std::string("move %s%n\n"),
        std::string("move #\n"), std::string("move host#2#3 host\n"),
        std::string(300, 'x') + "\n", std::string("\x01\x02\n"), std::string(5, '\0'),
        "move " + std::string(200, ':') + "\n"})
    EXPECT_NE(send(line).find("error: "), std::string::npos) << line;
  EXPECT_EQ(send("frob\n").compare(0, std::strlen(wrong), wrong), 0);
  for (int times = 0; times < 20; ++times) {
    send("", true);
    send("sta", true);
    send("status\n", true); // and does not stay for the answer
  }
  EXPECT_EQ(send("status\n").compare(0, 3, "ok\n"), 0);
}

TEST_F(ControlTest, FoldersOfOthersAreNotTrusted) {
  const std::string before = getenv("XDG_RUNTIME_DIR");
  const std::string place = before + "/elsewhere";
  std::filesystem::create_directory(place);
  setenv("XDG_RUNTIME_DIR", place.c_str(), 1);
  EXPECT_TRUE(control::openFolder().ok());
  chmod((place + "/het").c_str(), 0770);
  EXPECT_FALSE(control::openFolder().ok());
  std::filesystem::remove(place + "/het");
  std::filesystem::create_symlink(before, place + "/het");
  EXPECT_FALSE(control::openFolder().ok());
  setenv("XDG_RUNTIME_DIR", before.c_str(), 1);
  std::filesystem::remove_all(place);
}

TEST_F(ControlTest, TellsHowFarItIs) {
  // Another process's socket, which answers piece by piece.
  const pid_t process = getppid();
  const std::string path = control::socketOf(control::folder(), process);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  std::thread server([&] {
    const int client = accept(listener, nullptr, nullptr);
    char line[100];
    EXPECT_GT(recv(client, line, sizeof(line), 0), 0);
    for (const char *piece :
         {"progress 1 10\nprog", "ress 5 10\nprogress 10 10\no", "k\n"}) {
      EXPECT_GT(::send(client, piece, std::strlen(piece), MSG_NOSIGNAL), 0);
      int unread = 1;
      EXPECT_TRUE(test::eventually(
          [&] { return ioctl(client, SIOCOUTQ, &unread) == 0 && unread == 0; }));
    }
    ::close(client);
  });
  std::vector<uint64_t> told;
  Result<std::string> answer =
      control::ask(process, "checkpoint x", [&](uint64_t done, uint64_t total) {
        EXPECT_EQ(total, 10u);
        told.push_back(done);
      });
  server.join();
  ::close(listener);
  unlink(path.c_str());
  ASSERT_TRUE(answer.ok()) << answer.status().text();
  EXPECT_EQ(*answer, "");
  EXPECT_EQ(told, (std::vector<uint64_t>{1, 5, 10}));
}

TEST_F(ControlTest, WhatAKilledProcessLeftIsRemoved) {
  // A socket that nobody listens to.
  const std::string path = control::socketOf(control::folder(), 999999999);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  const int file = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(file, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
  close(file);
  EXPECT_EQ(control::processes().size(), 2u);
  EXPECT_FALSE(control::ask(999999999, "status").ok());
  EXPECT_EQ(control::processes(), std::vector<pid_t>{getpid()});
}

TEST_F(ControlTest, AProcessThatHasEndedIsNotWaitedFor) {
  // A child of it may hold its socket.
  const pid_t process = fork();
  if (process == 0)
    _exit(0);
  ASSERT_EQ(waitpid(process, nullptr, 0), process);
  const int listener = listenFor(process);
  EXPECT_FALSE(control::ask(process, "status").ok());
  EXPECT_EQ(control::processes(), std::vector<pid_t>{getpid()});
  close(listener);
}

TEST_F(ControlTest, AStoppedProcessIsNotWaitedFor) {
  const pid_t process = fork();
  if (process == 0) {
    kill(getpid(), SIGSTOP);
    _exit(0);
  }
  ASSERT_EQ(waitpid(process, nullptr, WUNTRACED), process);
  const int listener = listenFor(process);
  std::vector<int> waiting; // until no more may wait for it
  for (int file = 0; file >= 0;) {
    sockaddr_un address = {};
    socklen_t size = sizeof(address);
    ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size), 0);
    for (const char *line : {"status", "move host", "reconsider"}) {
      Result<std::string> answer = control::ask(process, line);
      ASSERT_FALSE(answer.ok());
      EXPECT_NE(answer.status().text().find("it is stopped"), std::string::npos)
          << answer.status().text();
    }
    waiting.push_back(file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));
    if (connect(file, reinterpret_cast<sockaddr *>(&address), size))
      break;
  }
  for (int file : waiting)
    close(file);
  close(listener);
  unlink(control::socketOf(control::folder(), process).c_str());
  kill(process, SIGKILL);
  EXPECT_EQ(waitpid(process, nullptr, 0), process);
}

TEST_F(ControlTest, GoesOnAfterATimeWithoutDescriptors) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, control::socketOf(control::folder(), getpid()).c_str());
  const int file = socket(AF_UNIX, SOCK_STREAM, 0);
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 3; // those that are open stay so
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_EQ(connect(file, reinterpret_cast<sockaddr *>(&address), sizeof(address)), 0);
  // At once: where it is heard all the same, nobody waits for it long.
  EXPECT_EQ(::send(file, "status\n", 7, MSG_NOSIGNAL), 7);
  test::letOthersRun(); // it tries in vain
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  char answer[4] = "";
  EXPECT_EQ(recv(file, answer, 3, MSG_WAITALL), 3);
  EXPECT_STREQ(answer, "ok\n");
  close(file);
}

/// How many sockets this process has that listen.
static int listeners() {
  int count = 0;
  for (int file = 0; file < 1024; ++file) {
    int listens = 0;
    socklen_t size = sizeof(listens);
    count += getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens;
  }
  return count;
}

/// The number of the socket that the process listens to.
static int listenerNumber() {
  for (int file = 0; file < 1024; ++file) {
    int listens = 0;
    socklen_t size = sizeof(listens);
    if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens)
      return file;
  }
  return -1;
}

/// A server of the program's own has the number of the listener now, as after a
/// closefrom(): whoever calls there is the program's to answer, in its children too.
static void listenInItsPlace() {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof(address.sun_path), "%s/program",
                control::folder().c_str());
  const socklen_t size = sizeof(address);
  const int number = listenerNumber();
  close(number);
  const int own = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  bool works = bind(own, reinterpret_cast<sockaddr *>(&address), size) == 0 &&
               listen(own, 100) == 0 && dup2(own, number) == number;
  (void)control::ask(getpid(), "status"); // which it may wait for still
  for (int call = 0; call < 100; ++call) {
    const int caller = socket(AF_UNIX, SOCK_STREAM, 0);
    works = works && connect(caller, reinterpret_cast<sockaddr *>(&address), size) == 0;
    test::letOthersRun();
    const int client = accept(own, nullptr, nullptr);
    works = works && client >= 0;
    close(client);
    close(caller);
  }
  const pid_t child = fork();
  if (child == 0)
    _exit(listenerNumber() >= 0 && dup(number) >= 0 ? 0 : 1);
  int status = -1;
  works = works && waitpid(child, &status, 0) == child && status == 0;
  unlink(address.sun_path);
  std::exit(works ? 0 : 1); // and waits for nobody
}

TEST_F(ControlTest, AnothersListenerIsNotUsed) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(listenInItsPlace(), testing::ExitedWithCode(0), "");
}

TEST_F(ControlTest, ChildrenDoNotHoldTheSocket) {
  EXPECT_EQ(listeners(), 1);
  const pid_t process = fork();
  if (process == 0)
    _exit(listeners());
  int status = -1;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
  EXPECT_NE(ask("status").find("\thost\t"), std::string::npos);
}

} // namespace
