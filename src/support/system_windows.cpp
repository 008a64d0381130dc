// SPDX-License-Identifier: MIT
// The manifest in cmake/windows.rc makes UTF-8 the code page of the process, so that the
// functions with `char` take and give our paths.
#ifdef _WIN32

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>

#include "support/system.h"

namespace vramlint {

namespace {

/// One argument as the C run-time library of the child reads it back: backslashes count double
/// before a quote only.
void append_quoted(std::string& line, std::string_view argument) {
  if (!line.empty()) line += ' ';
  line += '"';
  std::size_t backslashes = 0;
  for (const char byte : argument) {
    if (byte == '"') line.append(backslashes + 1, '\\');
    backslashes = byte == '\\' ? backslashes + 1 : 0;
    line += byte;
  }
  line.append(backslashes, '\\');
  line += '"';
}

/// Each variable ended by a zero byte, with one more at the end.
std::string block_of(const std::vector<std::string>& variables) {
  std::string block;
  for (const std::string& variable : variables) block.append(variable.c_str(), variable.size() + 1);
  block.append(variables.empty() ? 2 : 1, '\0');
  return block;
}

/// On the path alone: left to itself, Windows looks into the current folder first.
std::string found_on_path(const std::string& name) {
  const char* folders = std::getenv("PATH");
  std::array<char, 4096> found;
  if (folders == nullptr) return {};
  const DWORD size =
      ::SearchPathA(folders, name.c_str(), ".exe", found.size(), found.data(), nullptr);
  return size < found.size() ? std::string(found.data(), size) : std::string();
}

/// A pipe of which a child inherits the end to write.
class Pipe {
 public:
  Pipe() {
    SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    is_open_ = ::CreatePipe(&to_read_, &to_write_, &inherited, 0) != 0 &&
               ::SetHandleInformation(to_read_, HANDLE_FLAG_INHERIT, 0) != 0;
  }
  ~Pipe() {
    if (to_read_ != nullptr) ::CloseHandle(to_read_);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_open() const { return is_open_; }
  HANDLE to_read() const { return to_read_; }
  HANDLE to_write() const { return to_write_; }
  void close_writing() {
    if (to_write_ != nullptr) ::CloseHandle(to_write_);
    to_write_ = nullptr;
  }

 private:
  HANDLE to_read_ = nullptr;
  HANDLE to_write_ = nullptr;
  bool is_open_ = false;
};

HANDLE open_nothing() {
  SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  return ::CreateFileA("NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                       OPEN_EXISTING, 0, nullptr);
}

void read_all(HANDLE handle, std::string& text) {
  std::array<char, 65536> buffer;
  DWORD got = 0;
  while (::ReadFile(handle, buffer.data(), buffer.size(), &got, nullptr) != 0 && got > 0) {
    text.append(buffer.data(), got);
  }
}

}  // namespace

int open_for_reading(const std::string& path) {
  return ::_open(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

bool is_real_folder(const std::string& path) {
  const DWORD attributes = ::GetFileAttributesA(path.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 &&
         (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0;
}

std::string real_path(const std::string& path) {
  std::error_code failed;
  std::string made = std::filesystem::canonical(path, failed).generic_string();
  if (failed) errno = ENOENT;
  return failed ? std::string() : made;
}

bool take_owner_and_mode(int, const struct stat&) { return true; }  // the folder decides both

bool flush_file(int descriptor) { return ::_commit(descriptor) == 0; }

void flush_folder(const std::string&) {}

bool rename_over(const std::string& from, const std::string& to) {
  const bool done = ::MoveFileExA(from.c_str(), to.c_str(),
                                  MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
  if (!done) errno = EACCES;
  return done;
}

bool is_terminal(int descriptor) {
  if (::_isatty(descriptor) == 0) return false;
  // Older consoles show escape sequences only when asked to.
  const HANDLE console = reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
  DWORD mode = 0;
  return ::GetConsoleMode(console, &mode) != 0 &&
         ::SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

void prepare_streams() {
  for (std::FILE* stream : {stdin, stdout, stderr}) ::_setmode(::_fileno(stream), _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
}

std::vector<std::string> own_environment() {
  std::vector<std::string> variables;
  char* const block = ::GetEnvironmentStringsA();
  if (block == nullptr) return variables;
  for (const char* variable = block; *variable != '\0'; variable += variables.back().size() + 1) {
    variables.emplace_back(variable);
  }
  ::FreeEnvironmentStringsA(block);
  return variables;
}

uint64_t monotonic_ns() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

bool process_lives(int64_t number) {
  const HANDLE process = ::OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(number));
  if (process == nullptr) return ::GetLastError() == ERROR_ACCESS_DENIED;
  const bool lives = ::WaitForSingleObject(process, 0) == WAIT_TIMEOUT;
  ::CloseHandle(process);
  return lives;
}

InterruptWatch::InterruptWatch() = default;
InterruptWatch::~InterruptWatch() = default;
bool InterruptWatch::was_interrupted() { return false; }

ProgramAnswer run_program(std::vector<std::string> words, std::vector<std::string> environment,
                          const Patience& patience) {
  ProgramAnswer answer;
  const std::string program = found_on_path(words.front());
  Pipe output;
  Pipe complaints;
  if (program.empty() || !output.is_open() || !complaints.is_open()) return answer;
  const bool is_limited = patience.seconds > 0;
  std::string line;
  for (const std::string& word : words) append_quoted(line, word);
  std::string variables = block_of(environment);
  STARTUPINFOA start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = open_nothing();
  start.hStdOutput = output.to_write();
  start.hStdError = complaints.to_write();
  PROCESS_INFORMATION child{};
  answer.started = ::CreateProcessA(program.c_str(), line.data(), nullptr, nullptr, TRUE,
                                    CREATE_NO_WINDOW | CREATE_SUSPENDED, variables.data(), nullptr,
                                    &start, &child) != 0;
  ::CloseHandle(start.hStdInput);
  output.close_writing();
  complaints.close_writing();
  if (!answer.started) return answer;
  // All that it starts belongs to the job too, so it is suspended until it does itself.
  const HANDLE job = is_limited ? ::CreateJobObjectA(nullptr, nullptr) : nullptr;
  if (job != nullptr) ::AssignProcessToJobObject(job, child.hProcess);
  ::ResumeThread(child.hThread);
  // Both at once: a program that fills one pipe while nobody reads it would wait for ever.
  std::thread hears_output([&] { read_all(output.to_read(), answer.output); });
  std::thread hears_complaints([&] { read_all(complaints.to_read(), answer.complaints); });
  const DWORD wait_ms = is_limited ? static_cast<DWORD>(patience.seconds * 1000) : INFINITE;
  answer.timed_out = ::WaitForSingleObject(child.hProcess, wait_ms) == WAIT_TIMEOUT;
  DWORD status = 0;
  const bool ended = ::GetExitCodeProcess(child.hProcess, &status) != 0 && !answer.timed_out;
  if (ended) answer.status = static_cast<int>(status);
  // What is left of it holds the pipes; what it had said is still read from them.
  if (job != nullptr) ::TerminateJobObject(job, 1);
  hears_output.join();
  hears_complaints.join();
  if (job != nullptr) ::CloseHandle(job);
  ::CloseHandle(child.hThread);
  ::CloseHandle(child.hProcess);
  return answer;
}

}  // namespace vramlint

#endif
