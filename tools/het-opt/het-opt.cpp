// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// het-opt: hetIR passes by name, as mlir-opt. Only what hetIR uses is registered, so
// it starts fast.

#include "het/IR/Module.h"
#include "het/Transforms/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  het::ir::registerAllHetDialects(registry);
  het::transforms::registerHetPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  mlir::registerMem2RegPass();
  mlir::registerSROAPass();
  mlir::registerSymbolDCEPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "hetIR optimizer driver\n", registry));
}
