#!/usr/bin/env bash
# testing/sanitizer/sanitize.sh [build folder]
#
# compute-sanitizer's four tools on a reduced suite. Needs a GPU and built tests (cmake --workflow --preset test). Prints a
# line for each tool and suite; ends with failure if any reported anything, or if a tool missed the fault that is planted for
# it (planted_faults.cu). SANITIZER_TIMEOUT: seconds for one run, 300 where it is not set.
set -uo pipefail
build="${1:-$(dirname "$0")/../../build/test}/testing"
sanitizer="$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)"
logs="$(mktemp -d)"
trap 'rm -rf "$logs"' EXIT
failures=0

# run <tool> <program> <argument>: 0 if the program ran and nothing was reported.
run() {
  timeout "${SANITIZER_TIMEOUT:-300}" "$sanitizer" --tool "$1" --error-exitcode 86 "$2" "$3" > "$logs/log" 2>&1
}

sees_planted_fault() {
  run "$1" "$build/sanitizer/planted_faults" "$1"
  local status=$?
  if [ "$status" -eq 86 ]; then
    echo "$1: sees the planted fault"
  else
    echo "$1: DOES NOT SEE THE PLANTED FAULT (status $status)"
    tail -n 20 "$logs/log"
    failures=$((failures + 1))
  fi
}

is_clean() {
  local tool="$1" program="$build/$2" filter="$3"
  LIGHTSCAN_REQUIRE_GPU=1 run "$tool" "$program" "--gtest_filter=$filter"
  local status=$?
  # A filter that fits no test would be clean, too.
  local tests
  tests="$(sed -nE 's/^\[  PASSED  \] ([0-9]+) tests?\.$/\1/p' "$logs/log")"
  if [ "$status" -eq 0 ] && [ "${tests:-0}" -gt 0 ]; then
    echo "$tool: clean on $2 ($filter): $tests tests"
  else
    echo "$tool: NOT CLEAN on $2 ($filter): status $status, ${tests:-0} tests passed"
    grep -E '=========|FAILED' "$logs/log" | head -n 40
    failures=$((failures + 1))
  fi
}

for tool in memcheck racecheck initcheck synccheck; do
  sees_planted_fault "$tool"
done

is_clean memcheck kernel/test_kernel_types '*'
is_clean memcheck kernel/test_kernel_alignment '*'
is_clean memcheck kernel/test_kernel_boundaries 'both_kernels.*'
is_clean memcheck test_scan '*'
for tool in racecheck synccheck; do
  is_clean "$tool" kernel/test_kernel_alignment '*'
  is_clean "$tool" kernel/test_kernel_boundaries 'bulk_pipeline.is_right_at_boundaries_on_any_number_of_blocks'
  is_clean "$tool" kernel/test_kernel_boundaries 'both_kernels.are_right_at_every_small_size'
done
is_clean initcheck kernel/test_kernel_alignment '*'
is_clean initcheck kernel/test_kernel_types 'element_type/5.*:element_type/12.*:element_type/15.*'
is_clean initcheck kernel/test_kernel_boundaries 'both_kernels.*'

# Where a result is narrower or wider than its element, or goes backwards, it is put over elements of other threads. Each
# of these tests has a few scans by the plain kernel and a few by the bulk pipeline.
columns='widths.uint8_to_int32:widths.int64_to_int32:reversed_ranges.to_a_forward_range'
by_key='scan_by_key.accumulates_in_the_initial_values_type_with_columns_of_different_widths'
by_key+=':scan_by_key.takes_operators_with_state_that_do_not_commute'
is_clean memcheck test_columns "$columns:reversed_ranges.*"
is_clean memcheck test_scan_by_key "$by_key:scan_by_key.every_form_at_any_alignment:scan_by_key.every_form_in_place*"
for tool in racecheck synccheck; do
  is_clean "$tool" test_columns "$columns"
  is_clean "$tool" test_scan_by_key "$by_key:scan_by_key.every_form_in_place_of_the_keys"
done
is_clean initcheck test_scan_by_key "$by_key"
is_clean memcheck test_device_scan '*'
is_clean memcheck test_device_scan_by_key 'device_scan_by_key.*:initial_values_in_device_memory.*'
# A number of items in device memory: the workspace is allocated in stream order.
is_clean initcheck test_device_scan_by_key 'initial_values_in_device_memory.*'
is_clean memcheck test_transform_scan '*'

# Iterators of any kind: warps evaluate them into a stage that others take items from, and assign results from it. Racecheck and
# synccheck have a test for each way in and out; the others are the same code, and their 3,000,017 elements take long there.
is_clean memcheck bulk/test_bulk_gathered_inputs '*'
is_clean memcheck bulk/test_bulk_output_iterators '*'
is_clean memcheck bulk/test_bulk_touched_once '*'
is_clean memcheck bulk/test_bulk_misaligned_columns 'misaligned_columns/0.*:misaligned_columns_of_several_sizes.*'
is_clean memcheck bulk/test_bulk_large_accumulators 'accumulators_of_any_size/0.*:accumulators_of_any_size/2.*:accumulators_of_any_size/8.*'
is_clean memcheck bulk/test_bulk_by_key_inputs 'by_key_inputs.zip_as_keys:by_key_inputs.reversed_zip_in_place'
for tool in racecheck synccheck; do
  is_clean "$tool" bulk/test_bulk_computed_inputs 'computed_inputs.zip_of_functions_and_counting'
  is_clean "$tool" bulk/test_bulk_gathered_inputs 'gathered_inputs.column_beside_a_permutation'
  is_clean "$tool" bulk/test_bulk_output_iterators 'output_iterators.zip_in_place:output_iterators.permutation'
  is_clean "$tool" bulk/test_bulk_by_key_inputs 'by_key_inputs.reversed_zip_in_place'
  is_clean "$tool" bulk/test_bulk_large_accumulators 'large_accumulators.by_key'
done
is_clean initcheck bulk/test_bulk_gathered_inputs 'gathered_inputs.*'
is_clean initcheck bulk/test_bulk_output_iterators 'output_iterators.zip_of_two_columns:output_iterators.a_users_own_in_reverse'
is_clean initcheck bulk/test_bulk_misaligned_columns 'misaligned_columns_of_several_sizes.zip'

# Segments.
for tool in memcheck racecheck synccheck initcheck; do
  is_clean "$tool" test_device_segmented_scan 'device_segmented_scan.rows_of_every_form_and_type'
done
is_clean memcheck test_device_segmented_scan_calls \
  'device_segmented_scan_calls.every_entry_point:device_segmented_scan_calls.nothing_to_do'

# Along an axis: tiles, lines that blocks take as a whole, and those that threads walk.
for tool in memcheck racecheck synccheck initcheck; do
  is_clean "$tool" test_device_batched_scan \
    'device_batched_scan.every_form_and_type:device_batched_scan.sums_in_two_phases_and_in_a_single_call:device_batched_scan.long_lines_in_narrow_layers'
done
is_clean memcheck test_device_batched_scan 'device_batched_scan.of_numbers_of_other_sizes'

# Results in another number than items.
is_clean memcheck select/test_select_calls 'of/calls.*/1:of/calls.*/3:of/calls.*/4'
is_clean memcheck select/test_select_kernels 'selections.of_nothing_say_so:selections.ask_once_for_each_item_of_the_range'
for tool in racecheck synccheck; do
  is_clean "$tool" select/test_select_calls 'of/calls.*/3:of/calls.*/4'
  is_clean "$tool" select/test_select_runs 'runs.of_keys_that_equal_nothing'
done
is_clean initcheck select/test_select_runs 'runs.of_keys_that_equal_nothing'
is_clean memcheck select/test_select_entry_points 'of/entry_points.*/3'
is_clean memcheck select/test_select_iterators 'of/ranges.*/5:of/ranges.*/8'
is_clean memcheck select/test_select_positions 'positions.of_bytes_at_every_misalignment'
for tool in racecheck synccheck; do
  is_clean "$tool" select/test_select_called_once 'of/called_once.reads_and_assignments/6'
  is_clean "$tool" select/test_select_iterators 'of/ranges.zipped/8'
done

[ "$failures" -eq 0 ] && echo "all clean" || echo "$failures of the above are not as they should be"
exit $((failures > 0))
