#pragma once

#include "sim/scenario/shape/shape.h"

// The kinds of text that a scenario file has.
namespace aftershock::sim::scenario::lexicals {

/// A name: anything without blanks, ':' and '/', which targets and pointers give a meaning.
const Lexical& name();
/// A duration of at most a hundred years.
const Lexical& duration();
/// A duration of at most a hundred years that is not zero.
const Lexical& positive_duration();
/// A duration that may be longer than any run: a mean time between failures.
const Lexical& mean_time();
const Lexical& size();
/// A rate that is not zero.
const Lexical& rate();
const Lexical& percentage();
const Lexical& failure_rate();
/// "2026-11-20T18:00:00+08:00"
const Lexical& date_time();
/// KIND:REST; whether it exists is not seen here.
const Lexical& target();
/// A JSON Pointer into the summary of a run.
const Lexical& summary_pointer();
/// The code of an accelerator fault, or its name; whether it exists is not seen here.
const Lexical& fault_code();

}  // namespace aftershock::sim::scenario::lexicals
