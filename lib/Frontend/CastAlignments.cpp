// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels access arrays of shared memory four or eight elements at a time, by a cast:
//
//   __shared__ float tile[32][36];
//   *(float4 *)&tile[row][column] = ...;
//   reinterpret_cast<float4 &>(tile[row][column]) = ...;
//
// In CUDA such an access is as aligned as its type. Clang knows that the variable is not,
// and makes four accesses of it. It has no doubts about what comes by a void *, so such a
// cast goes by one.

#include "CastAlignments.h"
#include "SyntaxConsumer.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace het;
using namespace clang;

namespace {

/// The largest access of a GPU in bytes, to which variables are aligned at most.
constexpr uint64_t largest = 16;

class CastAlignments : public SyntaxConsumer {
  /// Instances of templates come by themselves; what is put into a pattern is read again.
  bool TraverseDecl(Decl *declaration) override {
    const auto *code = dyn_cast_or_null<DeclContext>(declaration);
    return (code && code->isDependentContext()) ||
           SyntaxConsumer::TraverseDecl(declaration);
  }
  bool VisitCStyleCastExpr(CStyleCastExpr *cast) override { return change(*cast); }
  bool VisitCXXReinterpretCastExpr(CXXReinterpretCastExpr *cast) override {
    return change(*cast);
  }
  bool change(ExplicitCastExpr &cast);
  bool isMoreAligned(QualType type, QualType than) const;
  Expr *byVoid(Expr *pointer) const;
  Expr *accessedAs(QualType type, Expr *object) const;
};

/// The object or the address of which this is one as well; null if it is none of another.
const Expr *outerObject(const Expr *part) {
  if (const auto *cast = dyn_cast<CastExpr>(part))
    switch (cast->getCastKind()) {
    case CK_ArrayToPointerDecay:
    case CK_BitCast:
    case CK_LValueBitCast:
    case CK_NoOp:
      return cast->getSubExpr();
    default:
      return nullptr;
    }
  if (const auto *address = dyn_cast<UnaryOperator>(part))
    return address->getOpcode() == UO_AddrOf ? address->getSubExpr() : nullptr;
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(part))
    return element->getBase();
  if (const auto *member = dyn_cast<MemberExpr>(part))
    return member->isArrow() || member->getMemberDecl()->getType()->isReferenceType()
               ? nullptr
               : member->getBase();
  return nullptr;
}

/// Whether an object lies in a variable that is neither local nor a parameter. Its
/// alignment can be raised (alignVariables).
bool isInVariable(const Expr *object) {
  while (object) {
    object = object->IgnoreParens();
    if (const auto *name = dyn_cast<DeclRefExpr>(object)) {
      const auto *variable = dyn_cast<VarDecl>(name->getDecl());
      return variable && variable->hasGlobalStorage() &&
             !variable->getType()->isReferenceType();
    }
    object = outerObject(object);
  }
  return false;
}

bool CastAlignments::isMoreAligned(QualType type, QualType than) const {
  const auto hasAlignment = [](QualType type) {
    return !type->isDependentType() && !type->isIncompleteType() &&
           !type->isFunctionType();
  };
  return hasAlignment(type) && hasAlignment(than) &&
         context->getTypeAlignInChars(type) > context->getTypeAlignInChars(than) &&
         context->getTypeAlignInChars(type).getQuantity() <=
             static_cast<int64_t>(largest);
}

Expr *CastAlignments::byVoid(Expr *pointer) const {
  return ImplicitCastExpr::Create(*context, context->VoidPtrTy, CK_BitCast, pointer,
                                  nullptr, VK_PRValue, {});
}

/// *(type *)(void *)&object
Expr *CastAlignments::accessedAs(QualType type, Expr *object) const {
  Expr *address = UnaryOperator::Create(
      *context, object, UO_AddrOf, context->getPointerType(object->getType()), VK_PRValue,
      OK_Ordinary, object->getExprLoc(), false, {});
  Expr *pointer =
      ImplicitCastExpr::Create(*context, context->getPointerType(type), CK_BitCast,
                               byVoid(address), nullptr, VK_PRValue, {});
  return UnaryOperator::Create(*context, pointer, UO_Deref, type, VK_LValue, OK_Ordinary,
                               object->getExprLoc(), false, {});
}

bool CastAlignments::change(ExplicitCastExpr &cast) {
  Expr *from = cast.getSubExpr();
  const QualType type = cast.getType();
  if (cast.getCastKind() == CK_BitCast && type->isPointerType() &&
      from->getType()->isPointerType()) {
    if (isMoreAligned(type->getPointeeType(), from->getType()->getPointeeType()) &&
        isInVariable(from))
      cast.setSubExpr(byVoid(from));
  } else if (cast.getCastKind() == CK_LValueBitCast && from->isLValue()) {
    if (isMoreAligned(type, from->getType()) && isInVariable(from))
      cast.setSubExpr(accessedAs(type, from));
  }
  return true;
}

} // namespace

std::unique_ptr<ASTConsumer> het::createCastAlignments() {
  return std::make_unique<CastAlignments>();
}

void het::alignVariables(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration() || variable.hasAtLeastLocalUnnamedAddr())
      continue;
    const uint64_t size =
        module.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
    if (!size)
      continue;
    const llvm::Align alignment(std::min(largest, llvm::bit_floor(size)));
    if (variable.getAlign().valueOrOne() < alignment)
      variable.setAlignment(alignment);
  }
}
