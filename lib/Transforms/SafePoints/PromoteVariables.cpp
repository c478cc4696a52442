// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block arguments stand at the dominance frontiers of a variable's stores, where it is
// live; then a walk down the dominator tree replaces each load by what is stored last.

#include "PromoteVariables.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/GenericIteratedDominanceFrontier.h"

using namespace mlir;

namespace het::transforms {
namespace {

class Promoter {
public:
  Promoter(Region &body, ArrayRef<LLVM::AllocaOp> variables)
      : body(body), variables(variables), accesses(variables.size()),
        current(variables.size()) {
    for (LLVM::AllocaOp variable : variables)
      numbers.try_emplace(variable, numbers.size());
  }

  void run() {
    findAccesses();
    if (body.hasOneBlock())
      renameIn(&body.front());
    else
      renameInTree();
    eraseVariables();
  }

private:
  struct Accesses {
    llvm::SmallPtrSet<Block *, 4> stores;
    llvm::SmallPtrSet<Block *, 4> live; ///< Blocks that begin with a value of it.
  };
  struct Join {
    unsigned variable;
    BlockArgument argument;
  };
  struct Change {
    unsigned variable;
    Value before;
  };

  /// The variable that an operation loads or stores.
  std::optional<unsigned> variableOf(Value address) const {
    auto it = numbers.find(address);
    return it == numbers.end() ? std::nullopt : std::optional(it->second);
  }

  void findAccesses();
  void spreadLiveness(Accesses &of);
  void addJoins(DominanceInfo &dominance);
  void renameInTree();
  void renameIn(Block *block);
  void define(unsigned variable, Value value) {
    changes.push_back({variable, current[variable]});
    current[variable] = value;
  }
  Value valueOf(unsigned variable) {
    Value value = current[variable];
    return value ? value : undefined(variables[variable].getElemType());
  }
  Value undefined(Type type);
  void eraseVariables();

  Region &body;
  SmallVector<LLVM::AllocaOp> variables;
  DenseMap<Value, unsigned> numbers;
  SmallVector<Accesses> accesses;
  DenseMap<Block *, SmallVector<Join>> joins;
  SmallVector<Value> current;  ///< Each variable's value, or null.
  SmallVector<Change> changes; ///< To be undone on the way up.
  DenseMap<Type, Value> undefinedOf;
};

/// Notes the blocks that store a variable, and those that load it before they do.
void Promoter::findAccesses() {
  for (Block &block : body)
    for (Operation &op : block) {
      if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
        auto variable = variableOf(load.getAddr());
        if (variable && !accesses[*variable].stores.contains(&block))
          accesses[*variable].live.insert(&block);
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
        if (auto variable = variableOf(store.getAddr()))
          accesses[*variable].stores.insert(&block);
      }
    }
}

/// Upwards from the loads to the stores.
void Promoter::spreadLiveness(Accesses &of) {
  SmallVector<Block *> work(of.live.begin(), of.live.end());
  while (!work.empty())
    for (Block *from : work.pop_back_val()->getPredecessors())
      if (!of.stores.contains(from) && of.live.insert(from).second)
        work.push_back(from);
}

void Promoter::addJoins(DominanceInfo &dominance) {
  llvm::IDFCalculatorBase<Block, false> frontiers(dominance.getDomTree(&body));
  for (auto [number, of] : llvm::enumerate(accesses)) {
    spreadLiveness(of);
    frontiers.setDefiningBlocks(of.stores);
    frontiers.setLiveInBlocks(of.live);
    SmallVector<Block *> places;
    frontiers.calculate(places);
    LLVM::AllocaOp variable = variables[number];
    for (Block *place : places)
      joins[place].push_back(
          {static_cast<unsigned>(number),
           place->addArgument(variable.getElemType(), variable.getLoc())});
  }
}

void Promoter::renameInTree() {
  DominanceInfo dominance;
  addJoins(dominance);
  struct Visit {
    DominanceInfoNode *node;
    DominanceInfoNode::iterator next;
    size_t changes;
  };
  SmallVector<Visit> stack;
  auto enter = [&](DominanceInfoNode *node) {
    stack.push_back({node, node->begin(), changes.size()});
    renameIn(node->getBlock());
  };
  enter(dominance.getRootNode(&body));
  while (!stack.empty()) {
    Visit &top = stack.back();
    if (top.next != top.node->end()) {
      enter(*top.next++);
      continue;
    }
    for (; changes.size() > top.changes; changes.pop_back())
      current[changes.back().variable] = changes.back().before;
    stack.pop_back();
  }
}

void Promoter::renameIn(Block *block) {
  if (auto it = joins.find(block); it != joins.end())
    for (const Join &join : it->second)
      define(join.variable, join.argument);
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
      if (auto variable = variableOf(load.getAddr())) {
        load.replaceAllUsesWith(valueOf(*variable));
        load.erase();
      }
    } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      if (auto variable = variableOf(store.getAddr())) {
        define(*variable, store.getValue());
        store.erase();
      }
    }
  }
  for (auto [index, successor] : llvm::enumerate(block->getSuccessors()))
    if (auto it = joins.find(successor); it != joins.end())
      for (const Join &join : it->second)
        cast<BranchOpInterface>(block->getTerminator())
            .getSuccessorOperands(index)
            .append(valueOf(join.variable));
}

Value Promoter::undefined(Type type) {
  Value &value = undefinedOf[type];
  if (!value) {
    OpBuilder builder = OpBuilder::atBlockBegin(&body.front());
    value = LLVM::UndefOp::create(builder, body.getLoc(), type);
  }
  return value;
}

/// Accesses that are left stand in blocks that nothing reaches.
void Promoter::eraseVariables() {
  for (LLVM::AllocaOp variable : variables) {
    for (Operation *user : llvm::make_early_inc_range(variable->getUsers())) {
      if (auto load = dyn_cast<LLVM::LoadOp>(user))
        load.replaceAllUsesWith(undefined(load.getType()));
      user->erase();
    }
    variable.erase();
  }
}

} // namespace

void promoteVariables(Region &body, ArrayRef<LLVM::AllocaOp> variables) {
  Promoter(body, variables).run();
}

} // namespace het::transforms
