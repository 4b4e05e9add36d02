#include "host_protocol.h"

#include "random_data.h"

#include <lightscan/carry/look_across.h>
#include <lightscan/carry/slot.h>
#include <lightscan/carry/words.h>
#include <lightscan/dispatch/plan.h>
#include <lightscan/warp/serial_warp.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace perf
{
namespace
{
namespace carry = lightscan::carry;

using element = std::uint32_t; // signed sums that wrap are undefined on the host

struct plus
{
  element operator()(element a, element b) const
  {
    return a + b;
  }
};

// Resident blocks run at once; host threads may have to share a core, so one that waits lets the others run.
struct host_transport : carry::atomic_transport
{
  static void look_again()
  {
    std::this_thread::yield();
  }
};

using communicator = carry::look_across<element, plus, host_transport, lightscan::warp::serial_warp>;
using slots        = carry::slot_ring<element>;

constexpr std::int64_t tile_items = 4096;

// What resident block `block` of `num_blocks` does: its tiles in order, publishing before it waits.
void run_block(
  const std::vector<element>& input, std::vector<element>& output, slots ring, std::int64_t block, int num_blocks)
{
  const std::int64_t count     = static_cast<std::int64_t>(input.size());
  const std::int64_t num_tiles = (count + tile_items - 1) / tile_items;
  communicator other_blocks(ring, plus{}, carry::no_init{});
  for (std::int64_t tile = block; tile < num_tiles; tile += num_blocks)
  {
    const std::size_t first = static_cast<std::size_t>(tile * tile_items);
    const std::size_t last  = static_cast<std::size_t>(std::min(count, (tile + 1) * tile_items));
    element aggregate       = input[first];
    for (std::size_t i = first + 1; i < last; ++i)
    {
      aggregate += input[i];
    }
    communicator::publish_aggregate(ring, tile, aggregate);

    const carry::uninitialized<element> before = other_blocks.carry_before(tile);
    element sum                                = other_blocks.has_carry() ? before.value : 0;
    for (std::size_t i = first; i < last; ++i)
    {
      sum += input[i];
      output[i] = sum;
    }
  }
}

double milliseconds_since(std::chrono::steady_clock::time_point start)
{
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}
} // namespace

host_result scan_on_host_threads(std::int64_t count)
{
  std::vector<element> input(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    input[i] = random_value<element>(static_cast<std::int64_t>(i));
  }
  // Written beforehand, so that neither scan pays for the memory's first touch.
  std::vector<element> output(input.size(), 0xdeadbeefu);
  std::vector<element> expected(input.size(), 0);

  host_result result{};
  result.threads = static_cast<int>(std::min(8u, std::max(2u, std::thread::hardware_concurrency())));

  const std::int64_t num_tiles = (count + tile_items - 1) / tile_items;
  const int log2_windows       = lightscan::dispatch::log2_ring_windows_for(num_tiles, result.threads, 1);
  std::vector<carry::slot_word> memory(
    (std::size_t{1} << log2_windows) * carry::slot_position::window_size * slots::words_per_slot, 0);
  const slots ring(memory.data(), log2_windows, 1);

  auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> blocks;
  for (int block = 0; block < result.threads; ++block)
  {
    blocks.emplace_back([&, block] {
      run_block(input, output, ring, block, result.threads);
    });
  }
  for (std::thread& block : blocks)
  {
    block.join();
  }
  result.milliseconds = milliseconds_since(start);

  start       = std::chrono::steady_clock::now();
  element sum = 0;
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    sum += input[i];
    expected[i] = sum;
  }
  result.sequential_milliseconds = milliseconds_since(start);

  for (std::size_t i = 0; i < input.size(); ++i)
  {
    if (output[i] != expected[i])
    {
      result.first_wrong = result.wrong == 0 ? static_cast<std::int64_t>(i) : result.first_wrong;
      ++result.wrong;
    }
  }
  return result;
}
} // namespace perf
