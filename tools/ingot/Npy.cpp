#include "ingot/tools/ingot/Npy.h"

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace ingot::cli {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

struct Code {
  DType dtype;
  const char *text;
};
constexpr Code kCodes[] = {{DType::F64, "f8"}, {DType::F32, "f4"}, {DType::F16, "f2"}, {DType::I64, "i8"},
                           {DType::I32, "i4"}, {DType::I16, "i2"}, {DType::I8, "i1"},  {DType::U64, "u8"},
                           {DType::U32, "u4"}, {DType::U16, "u2"}, {DType::U8, "u1"},  {DType::Bool, "b1"}};

/// What follows `'key':` in the header, which is a Python dictionary.
std::optional<std::string_view> value_of(std::string_view header, std::string_view key) {
  for (const char *quote : {"'", "\""}) {
    const std::string quoted = quote + std::string(key) + quote;
    std::size_t at = header.find(quoted);
    if (at == header.npos)
      continue;
    at = header.find_first_not_of(" :", at + quoted.size());
    if (at != header.npos)
      return header.substr(at);
  }
  return std::nullopt;
}

std::optional<DType> parse_descr(std::string_view text) {
  if (text.size() < 5 || (text[0] != '\'' && text[0] != '"') || text[4] != text[0])
    return std::nullopt;
  const std::string_view order = text.substr(1, 1), code = text.substr(2, 2);
  if (order != "<" && order != "=" && !(order == "|" && code[1] == '1'))
    return std::nullopt;
  for (const Code &c : kCodes)
    if (code == c.text)
      return c.dtype;
  return std::nullopt;
}

std::optional<Shape> parse_shape(std::string_view text) {
  if (text.empty() || text[0] != '(')
    return std::nullopt;
  Shape shape;
  for (std::size_t at = 1; at < text.size();) {
    if (text[at] == ')')
      return shape;
    if (text[at] == ' ' || text[at] == ',') {
      ++at;
      continue;
    }
    std::int64_t dim = -1;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), dim);
    if (error != std::errc() || dim < 0)
      return std::nullopt;
    shape.push_back(dim);
    at = std::size_t(end - text.data());
  }
  return std::nullopt;
}

} // namespace

Tensor read_npy(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw IoError("cannot read " + path + ": " + std::strerror(errno));
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  auto fail = [&](const std::string &why) -> IoError { return IoError(path + " " + why); };
  if (in.bad() || !bytes.starts_with(kMagic))
    throw fail(bytes.starts_with("PK") ? "is a .npz archive; give its members as .npy files" : "is not a .npy file");
  const int version = bytes.size() > 6 ? bytes[6] : 0;
  if (version < 1 || version > 3)
    throw fail("has an unknown .npy version");
  const std::size_t length_bytes = version == 1 ? 2 : 4, start = 8 + length_bytes;
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes && 8 + i < bytes.size(); ++i)
    length |= std::size_t(static_cast<unsigned char>(bytes[8 + i])) << 8 * i;
  if (bytes.size() < start || bytes.size() - start < length)
    throw fail("is cut off in its header");
  const std::string_view header = std::string_view(bytes).substr(start, length);
  const auto descr = value_of(header, "descr"), order = value_of(header, "fortran_order"),
             shape_text = value_of(header, "shape");
  if (!descr || !order || !shape_text)
    throw fail("has a damaged header");
  if (!order->starts_with("False"))
    throw fail("is in Fortran order; save it in C order");
  const auto dtype = parse_descr(*descr);
  if (!dtype)
    throw fail("has elements of a type that tensors do not have: " + std::string(descr->substr(0, descr->find(','))));
  const auto shape = parse_shape(*shape_text);
  if (!shape)
    throw fail("has a damaged shape in its header");

  std::size_t want = 0;
  try {
    want = TensorType{*dtype, *shape}.bytes();
  } catch (const Error &error) {
    throw fail("has an impossible shape: " + error.message());
  }
  const std::size_t have = bytes.size() - start - length;
  if (have != want)
    throw fail(std::string(have < want ? "is cut off: " : "is too long: ") + TensorType{*dtype, *shape}.str() +
               " takes " + std::to_string(want) + " bytes, the file has " + std::to_string(have));
  const char *data = bytes.data() + start + length;
  return visit_dtype(*dtype, [&]<class T>() -> Tensor {
    std::vector<T> values(want / sizeof(T));
    if constexpr (std::is_same_v<T, bool>) {
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = data[i] != 0;
    } else if (want) {
      std::memcpy(values.data(), data, want);
    }
    return Tensor::from<T>(values, *shape, Device::cpu(), Location());
  });
}

void write_npy(const std::string &path, const Tensor &tensor) {
  const char *code = nullptr;
  for (const Code &c : kCodes)
    if (c.dtype == tensor.dtype())
      code = c.text;
  if (!code)
    throw IoError(path + ": .npy files cannot hold " + std::string(dtype_name(tensor.dtype())) +
                  "; convert the output in the program");
  std::string dims;
  for (std::int64_t dim : tensor.shape())
    dims += std::to_string(dim) + ",";
  std::string header = std::string("{'descr': '") + (dtype_size(tensor.dtype()) == 1 ? "|" : "<") + code +
                       "', 'fortran_order': False, 'shape': (" + dims + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::ofstream out(path, std::ios::binary);
  out << kMagic << '\1' << '\0' << char(header.size() & 255) << char(header.size() >> 8) << header;
  visit_dtype(tensor.dtype(), [&]<class T>() {
    const auto values = tensor.data<T>(Location());
    out.write(reinterpret_cast<const char *>(values.data()), std::streamsize(values.size() * sizeof(T)));
  });
  out.close();
  if (!out)
    throw IoError("cannot write " + path + ": " + std::strerror(errno));
}

} // namespace ingot::cli
