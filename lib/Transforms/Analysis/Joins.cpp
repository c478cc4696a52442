// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds LLVM's dominator tree of the graph turned round, from one more node that follows
// all ends. LLVM's post-dominator tree would choose the ends of loops without a way out
// itself, and so by other rules than UniformityAnalysis needs.

#include "Joins.h"
#include "llvm/Support/GenericDomTreeConstruction.h"

namespace het::transforms {
namespace {

struct Graph;

/// A node of the turned graph: its children are its predecessors in the other.
struct Node {
  Graph *graph;
  unsigned number;
  llvm::SmallVector<Node *, 2> children, parents;

  Graph *getParent() const { return graph; }
  void printAsOperand(llvm::raw_ostream &out, bool = false) const { out << number; }
};

struct Graph {
  std::vector<Node> nodes; ///< The last is the root.

  Node &front() { return nodes.back(); }
  void addEdge(unsigned from, unsigned to) {
    nodes[from].children.push_back(&nodes[to]);
    nodes[to].parents.push_back(&nodes[from]);
  }
};

} // namespace
} // namespace het::transforms

namespace llvm {

template <> struct GraphTraits<het::transforms::Node *> {
  using NodeRef = het::transforms::Node *;
  using ChildIteratorType = SmallVector<NodeRef, 2>::iterator;
  static NodeRef getEntryNode(NodeRef node) { return node; }
  static ChildIteratorType child_begin(NodeRef node) { return node->children.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->children.end(); }
};

template <> struct GraphTraits<het::transforms::Graph *> {
  using NodeRef = het::transforms::Node *;
  using nodes_iterator = pointer_iterator<std::vector<het::transforms::Node>::iterator>;
  static NodeRef getEntryNode(het::transforms::Graph *graph) { return &graph->front(); }
  static nodes_iterator nodes_begin(het::transforms::Graph *graph) {
    return nodes_iterator(graph->nodes.begin());
  }
  static nodes_iterator nodes_end(het::transforms::Graph *graph) {
    return nodes_iterator(graph->nodes.end());
  }
};

template <> struct GraphTraits<Inverse<het::transforms::Node *>> {
  using NodeRef = het::transforms::Node *;
  using ChildIteratorType = SmallVector<NodeRef, 2>::iterator;
  static NodeRef getEntryNode(Inverse<NodeRef> node) { return node.Graph; }
  static ChildIteratorType child_begin(NodeRef node) { return node->parents.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->parents.end(); }
};

} // namespace llvm

namespace het::transforms {

llvm::SmallVector<unsigned>
findJoins(llvm::ArrayRef<llvm::SmallVector<unsigned, 2>> successors,
          const llvm::BitVector &ends) {
  const unsigned count = successors.size();
  Graph graph;
  graph.nodes.resize(count + 1);
  for (auto [number, node] : llvm::enumerate(graph.nodes)) {
    node.graph = &graph;
    node.number = number;
  }
  for (unsigned node = 0; node < count; ++node)
    if (ends.test(node))
      graph.addEdge(count, node);
    else
      for (unsigned successor : successors[node])
        graph.addEdge(successor, node);
  llvm::DominatorTreeBase<Node, false> tree;
  tree.recalculate(graph);
  llvm::SmallVector<unsigned> joins;
  for (unsigned node = 0; node < count; ++node)
    joins.push_back(tree.getNode(&graph.nodes[node])->getIDom()->getBlock()->number);
  return joins;
}

} // namespace het::transforms
