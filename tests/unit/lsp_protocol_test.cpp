// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lsp/framing.h"
#include "lsp/inbox.h"
#include "lsp/positions.h"
#include "lsp/protocol.h"
#include "lsp/uri.h"

namespace vramlint::lsp {
namespace {

using Kind = MessageReader::Kind;

std::vector<MessageReader::Incoming> all_of(MessageReader& reader) {
  std::vector<MessageReader::Incoming> all;
  while (std::optional<MessageReader::Incoming> next = reader.next()) all.push_back(*next);
  return all;
}

TEST(lsp_framing, a_stream_may_be_cut_anywhere) {
  const std::string stream = framed("{}") + framed("[1]");
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    MessageReader reader(100);
    reader.feed(std::string_view(stream).substr(0, cut));
    std::vector<MessageReader::Incoming> all = all_of(reader);
    reader.feed(std::string_view(stream).substr(cut));
    for (const MessageReader::Incoming& each : all_of(reader)) all.push_back(each);
    ASSERT_EQ(all.size(), 2u) << cut;
    EXPECT_EQ(all[0].body, "{}");
    EXPECT_EQ(all[1].body, "[1]");
  }
}

TEST(lsp_framing, a_body_that_is_too_large_is_passed_over) {
  MessageReader reader(3);
  reader.feed(framed("12345") + framed("abc"));
  const std::vector<MessageReader::Incoming> all = all_of(reader);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].kind, Kind::too_large);
  EXPECT_EQ(all[1].body, "abc");
}

TEST(lsp_framing, what_is_no_message_is_said_once) {
  MessageReader reader(100);
  reader.feed("POST / HTTP/1.1\r\n\r\nnothing: here\r\n\r\n" + framed("{}"));
  const std::vector<MessageReader::Incoming> all = all_of(reader);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].kind, Kind::broken);
  EXPECT_EQ(all[1].body, "{}");
}

TEST(lsp_framing, a_header_without_end_is_given_up) {
  MessageReader reader(100);
  reader.feed(std::string(100000, 'x'));
  EXPECT_EQ(all_of(reader).size(), 1u);
  reader.feed("\n\n" + framed("{}"));
  const std::vector<MessageReader::Incoming> all = all_of(reader);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].body, "{}");
}

TEST(lsp_protocol, text_that_no_client_means_is_no_message) {
  EXPECT_TRUE(parse_message(R"({"a": ["[[[[", "\"", {}]})"));
  EXPECT_FALSE(parse_message(""));
  EXPECT_FALSE(parse_message("{"));
  EXPECT_FALSE(parse_message("\"\xff\""));
  EXPECT_FALSE(parse_message(std::string(1000, '[') + std::string(1000, ']')));
}

TEST(lsp_protocol, places_have_two_numbers_that_are_none_below_zero) {
  EXPECT_FALSE(position_in(*parse_message(R"({"line": -1, "character": 0})")));
  EXPECT_FALSE(position_in(*parse_message(R"({"line": 1.5, "character": 0})")));
  EXPECT_FALSE(position_in(*parse_message(R"({"line": 1})")));
  const auto far = position_in(*parse_message(R"({"line": 99999999999, "character": 3})"));
  ASSERT_TRUE(far);
  EXPECT_EQ(far->line, 0xffffffffu);
}

TEST(lsp_positions, characters_are_counted_as_agreed) {
  const text::Source source("a.py", "x\n\xf0\x9f\x94\xa5\xc3\xa9z\r\n", text::Language::python);
  const uint32_t z = 8;
  EXPECT_EQ(position_at(source, z, Encoding::utf8), (Position{1, 6}));
  EXPECT_EQ(position_at(source, z, Encoding::utf16), (Position{1, 3}));
  EXPECT_EQ(position_at(source, z, Encoding::utf32), (Position{1, 2}));
  for (const Encoding encoding : {Encoding::utf8, Encoding::utf16, Encoding::utf32}) {
    EXPECT_EQ(offset_at(source, position_at(source, z, encoding), encoding), z);
  }
}

TEST(lsp_positions, half_a_character_is_its_beginning_and_too_far_is_the_end) {
  const text::Source source("a.py", "\xf0\x9f\x94\xa5\r\nab", text::Language::python);
  EXPECT_EQ(offset_at(source, {0, 1}, Encoding::utf16), 0u);
  EXPECT_EQ(offset_at(source, {0, 2}, Encoding::utf8), 0u);
  EXPECT_EQ(offset_at(source, {0, 99}, Encoding::utf16), 4u);
  EXPECT_EQ(offset_at(source, {1, 99}, Encoding::utf16), 8u);
  EXPECT_EQ(offset_at(source, {99, 0}, Encoding::utf16), 8u);
  EXPECT_EQ(span_at(source, {{1, 2}, {0, 0}}, Encoding::utf16), (text::Span{0, 8}));
}

TEST(lsp_uri, paths_come_back_as_they_were) {
  for (const char* path : {"/a/b c.py", "/\xc3\xa4/%.py", "/a#b?c.py", "/a+b,[c].py"}) {
    EXPECT_EQ(path_of_uri(uri_of_path(path)), path);
  }
  EXPECT_EQ(path_of_uri("file:///c%3A/a.py"), "c:/a.py");
  EXPECT_EQ(uri_of_path("c:/a.py"), "file:///c%3A/a.py");
  EXPECT_EQ(path_of_uri("file://localhost/a.py"), "/a.py");
  for (const char* uri :
       {"", "file:", "file://", "untitled:a", "file:///%4", "file:///%zz", "file:///%00"}) {
    EXPECT_FALSE(path_of_uri(uri)) << uri;
  }
}

MessageReader::Incoming incoming(std::string body) { return {Kind::message, std::move(body)}; }

TEST(lsp_inbox, a_waiting_request_can_be_cancelled) {
  Inbox inbox;
  inbox.put(incoming(R"({"id": 1, "method": "a"})"));
  inbox.put(incoming(R"({"id": "1", "method": "a"})"));
  inbox.put(incoming(R"({"method": "$/cancelRequest", "params": {"id": 1}})"));
  inbox.put(incoming(R"({"method": "$/cancelRequest", "params": {"id": {}}})"));
  inbox.end();
  EXPECT_TRUE(inbox.take()->cancelled);
  EXPECT_FALSE(inbox.take()->cancelled);
  EXPECT_FALSE(inbox.take());
}

TEST(lsp_inbox, what_is_no_message_keeps_its_place) {
  Inbox inbox;
  inbox.put(incoming("{"));
  inbox.put({Kind::too_large, {}});
  inbox.end();
  EXPECT_EQ(inbox.take()->code, ErrorCode::parse_error);
  EXPECT_EQ(inbox.take()->code, ErrorCode::invalid_request);
}

}  // namespace
}  // namespace vramlint::lsp
