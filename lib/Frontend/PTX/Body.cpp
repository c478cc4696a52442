// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Body.h"
#include "Carries.h"
#include "Emitter.h"

using namespace het::ptx;
using namespace llvm;

Body::Body(llvm::Function &function, bool isVolatile, const Symbols *outside)
    : builder(BasicBlock::Create(function.getContext(), "entry", &function)),
      function(function), outside(outside), volatileAccesses(isVolatile) {
  scopes.emplace_back();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

AllocaInst *Body::createVariable(llvm::Type *type) {
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> start(&entry, entry.begin());
  AllocaInst *variable = start.CreateAlloca(type);
  // A register that is read before it is written has any value, the same each time.
  start.CreateStore(start.CreateFreeze(PoisonValue::get(type)), variable);
  return variable;
}

AllocaInst *Body::addRegister(StringRef name, unsigned width) {
  AllocaInst *variable = createVariable(builder.getIntNTy(width));
  scopes.back().symbols[name] = {Symbol::Kind::Register, width, variable};
  return variable;
}

static constexpr StringRef parts = "xyzw", colours = "rgba";

/// A register, or those of a vector with their names: `V.x` and `V.r` are one.
void Body::addRegisters(Symbols &symbols, StringRef name, unsigned width,
                        unsigned vector) {
  auto add = [&](const Twine &name, AllocaInst *variable) {
    symbols[name.str()] = {Symbol::Kind::Register, width, variable};
  };
  if (vector == 1)
    return add(name, createVariable(builder.getIntNTy(width)));
  symbols[name] = {Symbol::Kind::Registers, vector};
  for (unsigned i = 0; i < vector; ++i) {
    AllocaInst *variable = createVariable(builder.getIntNTy(width));
    add(name + "." + Twine(parts[i]), variable);
    add(name + "." + Twine(colours[i]), variable);
  }
}

void Body::addValue(StringRef name, Value *value, unsigned width) {
  scopes.back().symbols[name] = {Symbol::Kind::Value, width, value};
}

void Body::addVariable(StringRef name, Value *address) {
  scopes.back().symbols[name] = {Symbol::Kind::Variable, 0, address};
}

/// `%r7` of `%r<9>`: made when it is first named.
const Symbol *Body::findInRange(Scope &scope, StringRef name) {
  for (const Range &range : scope.ranges) {
    const StringRef own = range.vector == 1 ? name : name.split('.').first;
    StringRef digits = own;
    unsigned number = 0;
    if (!digits.consume_front(range.prefix) || digits.getAsInteger(10, number) ||
        number >= range.count || (digits.size() > 1 && digits.front() == '0'))
      continue;
    addRegisters(scope.symbols, own, range.width, range.vector);
    auto entry = scope.symbols.find(name);
    return entry == scope.symbols.end() ? nullptr : &entry->second;
  }
  return nullptr;
}

const Symbol *Body::find(StringRef name) {
  for (Scope &scope : reverse(scopes)) {
    auto entry = scope.symbols.find(name);
    if (entry != scope.symbols.end())
      return &entry->second;
    if (const Symbol *symbol = findInRange(scope, name))
      return symbol;
  }
  auto entry = outside ? outside->find(name) : Symbols::const_iterator();
  return outside && entry != outside->end() ? &entry->second : nullptr;
}

Value *Body::carry() {
  if (carryFlag)
    return carryFlag;
  if (isOfModule())
    carryFlag = createVariable(builder.getInt1Ty());
  else
    carryFlag = carryVariable(module());
  return carryFlag;
}

/// .local and .param of a function are its own, .shared is the block's.
bool Body::declareMemory(const Variable &variable) {
  static constexpr uint64_t mostBytes = 1 << 24;
  if (variable.isOpen || !variable.values.empty() || variable.bytes() > mostBytes) {
    fail("'" + variable.name +
         "': a variable of this size, or with values, is not "
         "supported in a function");
    return false;
  }
  llvm::Type *type = ArrayType::get(builder.getInt8Ty(), variable.bytes());
  const Align align(
      std::max(variable.alignment, std::max(variable.type.width() / 8, 1u)));
  if (variable.space == "shared") {
    auto *shared = new GlobalVariable(module(), type, false, GlobalValue::InternalLinkage,
                                      PoisonValue::get(type), variable.name, nullptr,
                                      GlobalValue::NotThreadLocal, Shared);
    shared->setAlignment(align);
    addVariable(variable.name, shared);
    return true;
  }
  BasicBlock &entry = function.getEntryBlock();
  AllocaInst *local = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
  local->setAlignment(align);
  addVariable(variable.name, local);
  return true;
}

void Body::createReturn() {
  if (result)
    builder.CreateRet(builder.CreateLoad(function.getReturnType(), result));
  else
    builder.CreateRetVoid();
}

bool Body::declare(const Variable &variable) {
  if (isOfModule() && variable.space != "reg")
    return declareMemory(variable);
  static constexpr unsigned widest = 128;
  const unsigned width = variable.type.width();
  if (variable.space != "reg" || variable.vector > parts.size() ||
      width * variable.vector > widest) {
    fail("'." + variable.space + "' declarations of this form are not supported here");
    return false;
  }
  Scope &scope = scopes.back();
  if (variable.range) {
    scope.ranges.push_back({variable.name, variable.range, width, variable.vector});
    return true;
  }
  if (scope.symbols.contains(variable.name)) {
    fail("'" + variable.name + "' is declared twice");
    return false;
  }
  addRegisters(scope.symbols, variable.name, width, variable.vector);
  return true;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Body::fail(const Twine &why) {
  if (found.message.empty())
    found = {line, why.str()};
}

BasicBlock *Body::createBlock() {
  return BasicBlock::Create(function.getContext(), "", &function);
}

void Body::startUnreached() { builder.SetInsertPoint(createBlock()); }

/// Labels are known in their whole scope.
void Body::openScope(ArrayRef<Statement> inside) {
  Scope &scope = scopes.emplace_back();
  unsigned depth = 0;
  for (const Statement &statement : inside) {
    if (statement.kind == Statement::Kind::Open)
      ++depth;
    else if (statement.kind == Statement::Kind::Close && depth-- == 0)
      return;
    else if (statement.kind == Statement::Kind::Label && depth == 0)
      scope.symbols[statement.label] = {Symbol::Kind::Label, 0, nullptr, createBlock()};
    else if (depth == 0 && (statement.kind == Statement::Kind::Targets ||
                            statement.kind == Statement::Kind::Prototype))
      scope.symbols[statement.label] = {Symbol::Kind::List, 0, nullptr, nullptr,
                                        &statement};
  }
}

bool Body::makeGuarded(const Instruction &instruction) {
  Operand guard;
  guard.name = instruction.guard;
  guard.isNegated = instruction.isGuardNegated;
  Value *condition = Emitter(*this, instruction).source(guard, Type::predicate());
  BasicBlock *then = createBlock(), *behind = createBlock();
  builder.CreateCondBr(condition, then, behind);
  builder.SetInsertPoint(then);
  const bool isMade = make(instruction);
  builder.CreateBr(behind);
  builder.SetInsertPoint(behind);
  return isMade;
}

void Body::spreadVector(Operand &operand) {
  const Symbol *symbol =
      operand.kind == Operand::Kind::Name ? find(operand.name) : nullptr;
  if (!symbol || symbol->kind != Symbol::Kind::Registers)
    return;
  operand.kind = Operand::Kind::Vector;
  for (const char part : parts.take_front(symbol->width))
    operand.parts.emplace_back().name = names.save(operand.name + "." + Twine(part));
}

bool Body::make(const Instruction &written) {
  Instruction instruction = written;
  for_each(instruction.operands, [&](Operand &operand) { spreadVector(operand); });
  std::string why;
  const Entry *entry = findEntry(instruction, why);
  if (!entry) {
    const StringRef sign = StringRef(why).starts_with("is ") ? "' " : "': ";
    fail("the PTX instruction '" + instruction.text + sign + why);
    return false;
  }
  Emitter emitter(*this, instruction);
  entry->emit(emitter);
  return found.message.empty();
}

bool Body::add(const Statement &statement) {
  line = statement.line;
  switch (statement.kind) {
  case Statement::Kind::Variable:
    return declare(statement.variable);
  case Statement::Kind::Label: {
    BasicBlock *block = find(statement.label)->block;
    if (!placed.insert(block).second) {
      fail("the label '" + statement.label + "' stands twice");
      return false;
    }
    builder.CreateBr(block);
    builder.SetInsertPoint(block);
    return true;
  }
  case Statement::Kind::Instruction:
    return statement.instruction.guard.empty() ? make(statement.instruction)
                                               : makeGuarded(statement.instruction);
  case Statement::Kind::Open:
  case Statement::Kind::Close:
  case Statement::Kind::Targets:
  case Statement::Kind::Prototype:
    break;
  }
  return true;
}

bool Body::run(ArrayRef<Statement> statements) {
  openScope(statements);
  for (size_t i = 0; i < statements.size(); ++i) {
    if (statements[i].kind == Statement::Kind::Open)
      openScope(statements.drop_front(i + 1));
    else if (statements[i].kind == Statement::Kind::Close)
      scopes.pop_back();
    else if (!add(statements[i]))
      return false;
  }
  return found.message.empty();
}
