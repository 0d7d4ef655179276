#pragma once

#include <compare>
#include <cstdint>

namespace aftershock::policies {

/// Control time: integer microseconds since the controller's clock began. Never floating point.
using TimeUs = std::int64_t;
/// A length of control time in microseconds.
using DurationUs = std::int64_t;

inline constexpr DurationUs kMillisecondUs = 1'000;
inline constexpr DurationUs kSecondUs = 1'000'000;

/// Index of a job in the inventory that the policy's host announced.
using JobId = std::uint32_t;
/// Index of a node in the inventory that the policy's host announced.
using NodeId = std::uint32_t;
/// World rank of a worker within one attempt.
using Rank = std::uint32_t;
/// Number of an attempt of a job, chosen by the policy, strictly increasing from 1. Zero: no
/// attempt.
using Epoch = std::uint32_t;
/// Number of a checkpoint of a job in the order in which the job began them, from 1.
using CheckpointId = std::uint32_t;
/// Number that a policy gives to one of its commands; results come back under it.
using CommandId = std::uint64_t;

}  // namespace aftershock::policies
