#include "policies/ray_train/classify.h"

#include <gtest/gtest.h>

namespace aftershock::policies::ray_train {
namespace {

StartError error_of(StartStage stage, StartFailure why) {
  return start_error({.job = 0, .epoch = 1, .stage = stage, .why = why, .ranks = {}});
}

TEST(Classify, FailedStarts) {
  using enum StartStage;
  for (const StartStage stage : {kConstruction, kContextInit, kBackendSetup}) {
    EXPECT_EQ(error_of(stage, StartFailure::kWorkerDied), StartError::kStartupFailed);
    EXPECT_EQ(error_of(stage, StartFailure::kError), StartError::kNotRetryable);
  }
  EXPECT_EQ(error_of(kPlacement, StartFailure::kTimeout), StartError::kStartupTimeout);
  EXPECT_EQ(error_of(kBackendSetup, StartFailure::kTimeout), StartError::kNotRetryable);
  EXPECT_EQ(error_of(kLaunch, StartFailure::kWorkerDied), StartError::kNotRetryable);
  EXPECT_EQ(error_of(kClusterCheck, StartFailure::kInfeasible), StartError::kInsufficientCluster);
}

TEST(Classify, OnlyStartUpErrorsAreRetryable) {
  EXPECT_EQ(error_class(StartError::kStartupTimeout), ErrorClass::kRetryableController);
  EXPECT_EQ(error_class(StartError::kStartupFailed), ErrorClass::kRetryableController);
  EXPECT_EQ(error_class(StartError::kInsufficientCluster), ErrorClass::kOtherController);
  EXPECT_EQ(error_class(StartError::kNotRetryable), ErrorClass::kOtherController);
  EXPECT_EQ(error_class(ControllerError{0, "WorkerGroupStartupFailedError"}),
            ErrorClass::kRetryableController);
  EXPECT_EQ(error_class(ControllerError{0, "WorkerGroupError"}), ErrorClass::kWorkerGroup);
  EXPECT_EQ(error_class(ControllerError{0, ""}), ErrorClass::kOtherController);
}

TEST(Classify, WhatAFailedStartLeavesDependsOnItsStage) {
  EXPECT_EQ(left_by(StartStage::kClusterCheck), Leftovers::kNothing);
  EXPECT_EQ(left_by(StartStage::kPlacement), Leftovers::kNothing);
  EXPECT_EQ(left_by(StartStage::kConstruction), Leftovers::kReleased);
  EXPECT_EQ(left_by(StartStage::kContextInit), Leftovers::kReleased);
  EXPECT_EQ(left_by(StartStage::kBackendSetup), Leftovers::kLost);
  EXPECT_EQ(left_by(StartStage::kLaunch), Leftovers::kLost);
}

TEST(Classify, TheStrongestCauseExplainsAPoll) {
  using enum ChargeCause;
  EXPECT_EQ(stronger_cause(kApplication, kApplication), kApplication);
  EXPECT_EQ(stronger_cause(kApplication, kNode), kNode);
  EXPECT_EQ(stronger_cause(kPreemption, kNode), kPreemption);
}

}  // namespace
}  // namespace aftershock::policies::ray_train
