// SPDX-License-Identifier: MIT
//
// The language server's message loop: bytes of a stream, cut into messages, read as JSON, answered.
// Whatever comes in, each message that goes out can be read again, each request has one answer, and
// the server answers a question of ours after that. An input is a stream, or messages with form
// feeds between them.
#include <cstdint>
#include <map>
#include <string>

#include "knowledge/knowledge.h"
#include "lsp/framing.h"
#include "lsp/inbox.h"
#include "lsp/server.h"
#include "require.h"

namespace {

using namespace vramlint;
using lsp::Json;

constexpr const char* our_id = "the fuzzer's own question";

/// Counts answers, and holds what goes out against what JSON allows.
struct Client {
  std::map<std::string, int> answers;

  void take(const Json& message) {
    const std::string text = lsp::text_of(message);
    fuzz::require(!Json::parse(text, nullptr, false).is_discarded());
    fuzz::require(message.at("jsonrpc") == "2.0");
    if (message.contains("method")) return;
    fuzz::require(message.contains("result") != message.contains("error"));
    ++answers[lsp::text_of(message.at("id"))];
  }
};

/// One message after the other, as the session gives them to the server; in an inbox each time, so
/// that nothing of the test waits.
void serve(std::string_view stream, lsp::Server& server, std::map<std::string, int>& asked) {
  lsp::MessageReader reader(1 << 20);
  const std::size_t half = stream.size() / 2;
  for (const std::string_view part : {stream.substr(0, half), stream.substr(half)}) {
    reader.feed(part);
    while (std::optional<lsp::MessageReader::Incoming> incoming = reader.next()) {
      lsp::Inbox inbox;
      inbox.put(std::move(*incoming));
      inbox.end();
      const std::optional<lsp::Inbox::Letter> letter = inbox.take();
      if (!letter) continue;  // it cancels a request
      if (!letter->trouble.empty()) {
        server.refuse(letter->code, letter->trouble);
        ++asked["null"];
        continue;
      }
      const Json& id = lsp::member(letter->message, "id");
      const bool is_request = lsp::member(letter->message, "method").is_string();
      if (is_request && lsp::is_id(id)) ++asked[lsp::text_of(id)];
      server.take(letter->message);
      server.settle();
      if (server.exit_status()) return;
    }
  }
}

std::string stream_of(std::string_view input) {
  if (input.starts_with("Content-Length")) return std::string(input);
  std::string stream;
  while (!input.empty()) {
    const std::size_t end = input.find('\f');
    stream += lsp::framed(input.substr(0, end));
    input = end == std::string_view::npos ? std::string_view() : input.substr(end + 1);
  }
  return stream;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Client client;
  lsp::Server server(knowledge::Knowledge::builtin(),
                     [&](const Json& message) { client.take(message); });
  std::map<std::string, int> asked;
  serve(stream_of({reinterpret_cast<const char*>(data), size}), server, asked);
  for (const auto& [id, count] : asked) {
    if (id != "null") fuzz::require(client.answers[id] == count);
  }
  server.take({{"jsonrpc", "2.0"}, {"id", our_id}, {"method", "textDocument/hover"}});
  fuzz::require(client.answers[lsp::text_of(our_id)] == 1 + asked[lsp::text_of(our_id)]);
  return 0;
}
