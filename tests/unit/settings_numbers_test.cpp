// SPDX-License-Identifier: MIT
//
// The number readers against the standard library's own, whose habits they copy.
#include "settings/numbers.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace vramlint::settings {
namespace {

using knowledge::AllocatorInteger;

const std::string texts[] = {"",
                             "0",
                             "128",
                             "+128",
                             "-1",
                             "- 1",
                             " 7",
                             "\t\n7",
                             "7 ",
                             "128MB",
                             "1e3",
                             "0x20",
                             "x",
                             "-",
                             "+",
                             "--1",
                             "2_1",
                             "007",
                             "1.5",
                             ".5",
                             "5.",
                             "nan",
                             "inf",
                             "-inf",
                             "1e99",
                             "1e999",
                             "1e-999",
                             "0x1p-1",
                             "0.8f",
                             "0.5.5",
                             "2147483647",
                             "2147483648",
                             "-2147483648",
                             "-2147483649",
                             "4294967296",
                             "9223372036854775807",
                             "9223372036854775808",
                             "-9223372036854775809",
                             "18446744073709551615",
                             "18446744073709551616",
                             "-18446744073709551615",
                             "-18446744073709551616",
                             "99999999999999999999999",
                             "\xc2\xa0"
                             "1"};

template <typename Read>
NumberTrouble trouble_of(Read read) {
  try {
    read();
    return NumberTrouble::none;
  } catch (const std::invalid_argument&) {
    return NumberTrouble::no_number;
  } catch (const std::out_of_range&) {
    return NumberTrouble::too_large;
  }
}

TEST(Numbers, ReadLikeStoi) {
  for (const std::string& text : texts) {
    std::size_t used = 0;
    int value = 0;
    const NumberTrouble trouble = trouble_of([&] { value = std::stoi(text, &used); });
    const IntegerReading reading = read_integer(text, AllocatorInteger::stoi);
    EXPECT_EQ(reading.trouble, trouble) << text;
    if (trouble != NumberTrouble::none) continue;
    EXPECT_EQ(reading.value, static_cast<uint64_t>(static_cast<int64_t>(value))) << text;
    EXPECT_EQ(reading.used, used) << text;
  }
}

TEST(Numbers, ReadLikeStoull) {
  for (const std::string& text : texts) {
    std::size_t used = 0;
    unsigned long long value = 0;
    const NumberTrouble trouble = trouble_of([&] { value = std::stoull(text, &used); });
    const IntegerReading reading = read_integer(text, AllocatorInteger::stoull);
    EXPECT_EQ(reading.trouble, trouble) << text;
    if (trouble != NumberTrouble::none) continue;
    EXPECT_EQ(reading.value, value) << text;
    EXPECT_EQ(reading.used, used) << text;
  }
}

TEST(Numbers, ReadLikeStod) {
  for (const std::string& text : texts) {
    std::size_t used = 0;
    const NumberTrouble trouble = trouble_of([&] { std::stod(text, &used); });
    const RealReading reading = read_real(text);
    EXPECT_EQ(reading.trouble, trouble) << text;
    if (trouble != NumberTrouble::none) continue;
    EXPECT_EQ(reading.used, used) << text;
  }
}

TEST(Numbers, ReservesAreReadWhole) {
  for (const char* text : {"0.5", "1.5", "+0.5", ".5", "5.", "1e-3", "40G", "40g", "0.5G"}) {
    EXPECT_TRUE(read_reserve(text)) << text;
  }
  for (const char* text : {"", "G", "0", "-1", "512M", "40GB", "2T", "abc", "True", "0x1p-1", "inf",
                           "nan", "0.5.5", "1e", "1e999"}) {
    EXPECT_FALSE(read_reserve(text)) << text;
  }
}

}  // namespace
}  // namespace vramlint::settings
