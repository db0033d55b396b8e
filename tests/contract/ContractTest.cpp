// The driver: a test for every row that names a scenario, and one of the table itself.
#include "Contract.h"

#include <cstdio>
#include <map>
#include <set>

namespace ingot::contract {
namespace {

constexpr Row kRows[] = {
#include "contract_rows.inc"
};

std::map<std::string_view, Scenario> &scenarios() {
  static std::map<std::string_view, Scenario> all;
  return all;
}

template <class E> bool is(const Error &error) { return dynamic_cast<const E *>(&error) != nullptr; }
const std::map<std::string_view, bool (*)(const Error &)> kFamilies{
    {"Shape", is<ShapeError>},     {"DType", is<DTypeError>},       {"Dispatch", is<DispatchError>},
    {"Capture", is<CaptureError>}, {"Gradient", is<GradientError>}, {"Compile", is<CompileError>},
    {"Io", is<IoError>},           {"Index", is<IndexError>}};

class RowTest : public testing::Test {
public:
  explicit RowTest(const Row &row) : row(row) {}
  void TestBody() override {
    auto found = scenarios().find(row.scenario);
    ASSERT_NE(found, scenarios().end()) << row.id << " names the scenario " << row.scenario << ", which is not there";
    found->second(row);
  }

private:
  const Row &row;
};

/// "1.3/X8-user" as the name of a test: "1_3.X8_user".
std::string identifier(std::string_view text) {
  std::string name(text);
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name;
}

const bool registered = [] {
  for (const Row &row : kRows)
    if (!row.scenario.empty()) {
      const std::size_t slash = row.id.find('/');
      const std::string suite = "Contract_" + identifier(row.id.substr(0, slash)),
                        name = identifier(row.id.substr(slash + 1));
      testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [&row]() -> RowTest * { return new RowTest(row); });
    }
  return true;
}();

TEST(ContractTable, EveryScenarioIsOfARow) {
  std::set<std::string_view> named;
  std::size_t tested = 0, withoutMeaning = 0;
  for (const Row &row : kRows) {
    EXPECT_NE(row.scenario.empty(), row.reason.empty()) << row.id;
    ++(row.scenario.empty() ? withoutMeaning : tested);
    named.insert(row.scenario);
  }
  for (const auto &[name, run] : scenarios())
    EXPECT_TRUE(named.count(name)) << "no row names the scenario " << name;
  std::printf("contract: %zu rows, %zu tested by %zu scenarios, %zu without meaning in Ingot\n", std::size(kRows),
              tested, scenarios().size(), withoutMeaning);
}

} // namespace

std::span<const Row> rows() { return kRows; }

Registration::Registration(const char *name, Scenario run) { scenarios()[name] = run; }

void expect_refusal(const Row &row, std::source_location at, const std::function<void()> &f, const Holes &holes) {
  const std::string here = std::string(row.id) + " at " + at.file_name() + ":" + std::to_string(at.line());
  std::string text(row.text);
  for (const auto &[name, value] : holes) {
    const std::string hole = "{" + name + "}";
    const std::size_t found = text.find(hole);
    ASSERT_NE(found, std::string::npos) << here << ": the text has no " << hole;
    text.replace(found, hole.size(), value);
  }
  try {
    f();
  } catch (const Error &error) {
    EXPECT_TRUE(kFamilies.at(row.family)(error)) << here << ": of another family: " << error.what();
    EXPECT_EQ(error.message(), text) << here;
    EXPECT_EQ(error.where(), SourceLocation(at)) << here;
    EXPECT_EQ(error.what(), text + " (" + error.where().str() + ")") << here;
    return;
  } catch (const std::exception &error) {
    ADD_FAILURE() << here << ": another exception: " << error.what();
    return;
  }
  ADD_FAILURE() << here << ": nothing was thrown";
}

} // namespace ingot::contract
