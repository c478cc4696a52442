// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph written for Graphviz (cudaGraphDebugDotPrint).

#include "Errors.h"
#include "Graph.h"
#include "Module.h"

#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>

using namespace het::cuda;

namespace {

struct CloseFile {
  void operator()(FILE *file) const { std::fclose(file); }
};

/// The text of a label: quotes and backslashes are escaped.
std::string escape(const std::string &text) {
  std::string result;
  for (char character : text) {
    if (character == '"' || character == '\\')
      result += '\\';
    result += character;
  }
  return result;
}

std::string print(const char *format, const dim3 &size) {
  char text[64];
  std::snprintf(text, sizeof(text), format, size.x, size.y, size.z);
  return text;
}

std::string number(const char *name, uint64_t value) {
  return std::string("\\n") + name + " " + std::to_string(value);
}

std::string address(const char *name, const void *pointer) {
  char text[32];
  std::snprintf(text, sizeof(text), " %p", pointer);
  return std::string("\\n") + name + text;
}

/// What a node is, and with more flags what it does.
struct Label {
  unsigned flags;

  bool has(unsigned flag) const { return flags & (flag | cudaGraphDebugDotFlagsVerbose); }

  std::string operator()(const EmptyOperation &) const { return "EMPTY"; }
  std::string operator()(const CopyOperation &copy) const {
    std::string text = "MEMCPY";
    if (has(cudaGraphDebugDotFlagsMemcpyNodeParams))
      text += address("to", copy.to.base) + address("from", copy.from.base) +
              number("width", copy.width) + number("height", copy.height) +
              number("depth", copy.depth);
    return text;
  }
  std::string operator()(const FillOperation &fill) const {
    std::string text = "MEMSET";
    if (has(cudaGraphDebugDotFlagsMemsetNodeParams))
      text += address("to", fill.to.base) + number("value", fill.value) +
              number("element size", fill.elementSize) + number("width", fill.width) +
              number("height", fill.height);
    return text;
  }
  std::string operator()(const KernelOperation &kernel) const {
    std::string text = escape(kernel.function->name);
    if (has(cudaGraphDebugDotFlagsKernelNodeParams))
      text += print("\\n<<<(%u, %u, %u), ", kernel.grid) +
              print("(%u, %u, %u), ", kernel.block) + std::to_string(kernel.sharedBytes) +
              ">>>";
    if (has(cudaGraphDebugDotFlagsKernelNodeAttributes))
      text += number("cooperative", kernel.cooperative);
    return text;
  }
  std::string operator()(const HostOperation &host) const {
    return has(cudaGraphDebugDotFlagsHostNodeParams)
               ? "HOST" +
                     address("function", reinterpret_cast<const void *>(host.function)) +
                     address("data", host.data)
               : "HOST";
  }
  std::string operator()(const RecordOperation &record) const {
    return "EVENT_RECORD" + eventOf(record.event.get());
  }
  std::string operator()(const WaitOperation &wait) const {
    return "EVENT_WAIT" + eventOf(wait.event.get());
  }
  std::string operator()(const GraphOperation &) const { return "GRAPH"; }
  std::string operator()(const AllocateOperation &) const { return "MEM_ALLOC"; }
  std::string operator()(const FreeOperation &) const { return "MEM_FREE"; }
  std::string operator()(const ConditionalOperation &conditional) const {
    static const char *const names[] = {"IF", "WHILE", "SWITCH"};
    return std::string("CONDITIONAL\\n") + names[conditional.type];
  }
  std::string operator()(const ValuesOperation &values) const {
    constexpr unsigned flag = CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS;
    return "BATCH_MEM_OP" + (has(flag) ? number("count", values.list.size()) : "");
  }
  std::string operator()(const NativeOperation &) const { return "LIBRARY"; }
  std::string eventOf(const void *event) const {
    return has(cudaGraphDebugDotFlagsEventNodeParams) ? address("event", event) : "";
  }
};

/// Writes graphs one inside of the other, each with a number of its own.
struct Writer {
  FILE *file;
  Label label;
  unsigned graphs = 0;

  void write(const CUgraph_st &graph) {
    std::fprintf(file, "subgraph cluster_%u {\nlabel=\"graph_%u\";\n", graphs, graphs);
    ++graphs;
    for (const auto &node : graph.nodes) {
      std::string text = std::visit(label, node->operation);
      if (label.has(cudaGraphDebugDotFlagsHandles))
        text += address("node", node.get());
      std::fprintf(file, "node_%llu [shape=\"rectangle\", label=\"%llu\\n%s\"];\n",
                   node->id, node->id, text.c_str());
    }
    for (const auto &node : graph.nodes)
      for (const CUgraphNode_st *dependency : node->dependencies)
        std::fprintf(file, "node_%llu -> node_%llu;\n", dependency->id, node->id);
    for (const auto &node : graph.nodes)
      writeInner(*node);
    std::fprintf(file, "}\n");
  }

  void writeInner(const CUgraphNode_st &node) {
    if (const auto *child = std::get_if<GraphOperation>(&node.operation))
      write(*child->graph);
    if (const auto *conditional = std::get_if<ConditionalOperation>(&node.operation))
      for (const std::shared_ptr<CUgraph_st> &body : conditional->bodies)
        write(*body);
  }
};

} // namespace

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                   unsigned flags) try {
  if (!graph || !path)
    return remember(cudaErrorInvalidValue);
  std::unique_ptr<FILE, CloseFile> file(std::fopen(path, "we"));
  if (!file)
    return remember(cudaErrorOperatingSystem);
  std::fprintf(file.get(), "digraph dot {\n");
  Writer{file.get(), Label{flags}}.write(*graph);
  std::fprintf(file.get(), "}\n");
  const bool isWhole = !std::ferror(file.get()) && !std::fflush(file.get());
  return remember(isWhole ? cudaSuccess : cudaErrorOperatingSystem);
}
HET_CATCH
