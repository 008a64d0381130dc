// SPDX-License-Identifier: MIT
//
// Objects inside one another are kept on a stack, so that they may nest as deep as they like.
// Python keeps the last of two members of one name, and so does this.
#include "frontends/configuration.h"

#include <algorithm>
#include <utility>

#include "frontends/json_reader.h"

namespace vramlint::frontends {
namespace {

using model::ConfigurationMember;
using model::ConfigurationObject;
using Kind = ConfigurationMember::Kind;

class Reading {
 public:
  explicit Reading(const std::shared_ptr<const text::Source>& source)
      : bytes_(source->bytes()), json_(bytes_) {
    made_.source = source;
  }

  model::Configuration run() {
    if (!json_.is_object()) return std::move(made_);
    open("");
    std::string key;
    while (!open_.empty()) {
      if (json_.next_member(key)) {
        read_member(key);
      } else {
        close();
      }
    }
    json_.expect_end();
    if (json_.failed()) made_.objects.clear();
    return std::move(made_);
  }

 private:
  void open(std::string key) {
    open_.push_back({std::move(key), {json_.at(), 0}, {}});
    json_.enter();
  }

  void close() {
    ConfigurationObject object = std::move(open_.back());
    open_.pop_back();
    if (open_.empty()) return;
    object.span.end = json_.at();
    made_.objects.push_back(std::move(object));
  }

  void read_member(const std::string& key) {
    ConfigurationMember& member = member_of(open_.back(), key);
    if (json_.is_object()) return open(key);
    const bool is_text = json_.is_string();
    member.span.begin = json_.at();
    if (is_text) {
      std::vector<text::StoredPiece> places;
      decode_string(bytes_, json_.read_string(), member.text, places);
    } else {
      json_.skip();
    }
    member.span.end = json_.at();
    if (!is_text) member.text = bytes_.substr(member.span.begin, member.span.size());
    member.kind = is_text ? Kind::text : kind_of(member.text);
  }

  static ConfigurationMember& member_of(ConfigurationObject& object, const std::string& key) {
    std::erase_if(object.members,
                  [&](const ConfigurationMember& member) { return member.key == key; });
    object.members.push_back({key, Kind::other, {}, {}});
    return object.members.back();
  }

  static Kind kind_of(std::string_view written) {
    if (written == "true" || written == "false") return Kind::boolean;
    if (written == "null") return Kind::null;
    constexpr std::string_view digits = "-0123456789";
    const bool is_number = digits.find(written.substr(0, 1)) != std::string_view::npos;
    return is_number && !written.empty() ? Kind::number : Kind::other;
  }

  std::string_view bytes_;
  JsonReader json_;
  std::vector<ConfigurationObject> open_;
  model::Configuration made_;
};

}  // namespace

model::Configuration read_configuration(const std::shared_ptr<const text::Source>& source) {
  return Reading(source).run();
}

}  // namespace vramlint::frontends
