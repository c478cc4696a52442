// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceConsumers.h"
#include "BuiltinAddresses.h"
#include "CastAlignments.h"
#include "ConstantShifts.h"
#include "FunctionsOfBothSides.h"
#include "HostCalls.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/MultiplexConsumer.h"

std::unique_ptr<clang::ASTConsumer>
het::behindDeviceConsumers(clang::CompilerInstance &compiler,
                           std::unique_ptr<clang::ASTConsumer> last) {
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(createHostCallCheck(compiler));
  consumers.push_back(createBuiltinAddressCheck());
  consumers.push_back(createConstantShifts());
  consumers.push_back(createCastAlignments());
  addCodeGeneration(consumers, std::move(last));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}
